/* rep movs of 2, 4 and 8 bytes: each element is a load and a store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> words  dk=0  n=4000  d=3..6 */
/* expect: words -> longs  dk=0  n=2000  d=6..7 */
/* expect: longs -> quads  dk=0  n=1000  d=5 */
/* expect: quads -> load   dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
        leaq    .Lbuffer(%rip), %rsi
.Lstore: movq   %rbx, (%rsi)
        leaq    64(%rsi), %rdi
        movl    $4, %ecx
.Lwords: rep movsw
        leaq    .Lbuffer+64(%rip), %rsi
        leaq    64(%rsi), %rdi
        movl    $2, %ecx
.Llongs: rep movsl
        leaq    .Lbuffer+128(%rip), %rsi
        leaq    64(%rsi), %rdi
        movl    $1, %ecx
.Lquads: rep movsq
.Lload: movq    .Lbuffer+192(%rip), %rax
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
