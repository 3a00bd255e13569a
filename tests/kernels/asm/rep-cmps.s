/* repe cmps of each width makes two loads for each element, until the count has
   run out. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: one   -> bytes  dk=0  n=8000  d=5..12 */
/* expect: other -> bytes  dk=0  n=8000  d=4..11 */
/* expect: one   -> words  dk=0  n=4000  d=17..20 */
/* expect: other -> words  dk=0  n=4000  d=16..19 */
/* expect: one   -> longs  dk=0  n=2000  d=25..26 */
/* expect: other -> longs  dk=0  n=2000  d=24..25 */
/* expect: one   -> quads  dk=0  n=1000  d=31 */
/* expect: other -> quads  dk=0  n=1000  d=30 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
.Lone:  movq    %rbx, .Lbuffer(%rip)
.Lother: movq   %rbx, .Lbuffer+64(%rip)
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $8, %ecx
.Lbytes: repe cmpsb
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $4, %ecx
.Lwords: repe cmpsw
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $2, %ecx
.Llongs: repe cmpsl
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $1, %ecx
.Lquads: repe cmpsq
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
