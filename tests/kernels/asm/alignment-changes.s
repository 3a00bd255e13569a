/* The same loop with a pointer that is a multiple of four, long enough for the
   loop to be hot, and then with three that are not. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: int  -> rint   dk=0  n=12000  d=3 */
/* expect: int  -> byte   dk=0  n=12000  d=6 */
/* expect: quad -> rquad  dk=0  n=12000  d=3 */
/* expect: wide -> rwide  dk=0  n=12000  d=3 */

        .globl  _start
_start: leaq    .Lbuffer(%rip), %rsi
        movl    $4, %edx
.Lpass:
        movl    $3000, %ecx
.Lloop:
.Lint:  movl    %ecx, (%rsi)
.Lquad: movq    %rcx, 8(%rsi)
.Lwide: movups  %xmm0, 16(%rsi)
.Lrint: movl    (%rsi), %eax
.Lrquad: movq   8(%rsi), %rax
.Lrwide: movups 16(%rsi), %xmm1
.Lbyte: movb    3(%rsi), %al
        decl    %ecx
        jnz     .Lloop
        incq    %rsi
        decl    %edx
        jnz     .Lpass

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 64
