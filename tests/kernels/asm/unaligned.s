/* Accesses of all widths at odd places: each byte has its own last writer. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: first  -> load1  dk=0  n=1000  d=3 */
/* expect: middle -> load1  dk=0  n=1000  d=1 */
/* expect: middle -> load2  dk=0  n=1000  d=2 */
/* expect: second -> load2  dk=0  n=1000  d=3 */
/* expect: first  -> load3  dk=0  n=1000  d=5 */
/* expect: middle -> load3  dk=0  n=1000  d=3 */
/* expect: second -> load3  dk=0  n=1000  d=4 */
/* expect: first  -> load4  dk=0  n=1000  d=7 */
/* expect: odd    -> load4  dk=0  n=1000  d=1 */
/* expect: second -> load5  dk=0  n=1000  d=8 */
/* expect: last   -> load5  dk=0  n=1000  d=1 */
/* expect: first  -> load6  dk=0  n=1000  d=10 */
/* expect: odd    -> load6  dk=0  n=1000  d=4 */
/* expect: middle -> load6  dk=0  n=1000  d=8 */
/* expect: second -> load6  dk=0  n=1000  d=9 */
/* expect: last   -> load6  dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
.Lloop:
.Lfirst: movq   %rcx, (%rdi)            # bytes 0 to 7
.Lsecond: movq  %rcx, 8(%rdi)           # bytes 8 to 15
.Lmiddle: movl  %ecx, 6(%rdi)           # bytes 6 to 9
.Lload1: movq   (%rdi), %rax
.Lload2: movq   8(%rdi), %rax
.Lload3: movq   4(%rdi), %rax
.Lodd:  movw    %cx, 3(%rdi)            # bytes 3 and 4
.Lload4: movl   2(%rdi), %eax
.Llast: movb    %cl, 15(%rdi)
.Lload5: movw   14(%rdi), %ax
.Lload6: movups 1(%rdi), %xmm0
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
