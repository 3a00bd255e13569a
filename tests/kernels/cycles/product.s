/* A chain of multiplications through registers. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 3 */
/* memory: 3 */
/* link: mul register 3 1 */

        .globl  f
        .type   f, @function
f:
.Lmul:  imulq   %rcx, %rax
        subq    $1, %rdx
        jne     .Lmul
        ret
        .size   f, . - f
