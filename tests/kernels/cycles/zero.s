/* A register that is cleared by itself waits for nothing. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 1 */

        .globl  f
        .type   f, @function
f:
.Lloop: imulq   %rax, %rax
        xorl    %eax, %eax
        addq    %rcx, %rax
.Lstep: subq    $1, %rdx
        jne     .Lloop
        ret
        .size   f, . - f
