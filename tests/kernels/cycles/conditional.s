/* A minimum: the comparison and the conditional move are in the chain. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 2 */
/* link: cmp register 1 1 */
/* link: cmov register 1 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    (%rdi), %rcx
.Lcmp:  cmpq    %rax, %rcx
.Lcmov: cmovl   %rcx, %rax
        addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload
        ret
        .size   f, . - f
