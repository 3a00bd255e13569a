/* The node before, in a list: its address is no function of the rounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> get  none */

        .globl  _start
_start: call    f
        movl    $60, %eax
        xorl    %edi, %edi
        syscall

        .type   f, @function
f:      movl    $a, %edi
.Lloop: movq    (%rdi), %rsi
.Lput:  movq    %rsi, 8(%rdi)
.Lget:  movq    8(%rdi), %rax
        movq    %rsi, %rdi
        testq   %rdi, %rdi
        jnz     .Lloop
        ret
        .size   f, . - f

        .data
        .balign 8
a:      .quad   c, 0
b:      .quad   d, 0
c:      .quad   b, 0
d:      .quad   e, 0
e:      .quad   0, 0
