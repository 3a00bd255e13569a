/* Pairs of two loops, one in the other, and of none. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: put -> old  yes */
/* expect: put -> new  yes */
/* expect: col -> col  yes */
/* expect: put -> called  yes */

        .globl  f
        .type   f, @function
f:      movl    $5, %ecx
.Lrow:  nop
.Lold:  movq    (%rdi), %rax
        callq   g
.Lput:  movq    %rcx, (%rdi)
        movl    $3, %edx
.Lcol:  addq    $1, (%rsi)
        subl    $1, %edx
        jnz     .Lcol
.Lnew:  movq    (%rdi), %rax
        subl    $1, %ecx
        jnz     .Lrow
        ret
        .size   f, . - f

        .type   g, @function
g:      nop
.Lcalled: movq  (%rdi), %rax
        ret
        .size   g, . - g
