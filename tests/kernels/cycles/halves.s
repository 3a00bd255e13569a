/* The upper half of a vector has a chain of its own. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 4 */
/* memory: 4 */
/* link: add register 4 1 */

        .globl  f
        .type   f, @function
f:
.Ladd:  addsd   %xmm1, %xmm0
        movhpd  (%rdi), %xmm0
        addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Ladd
        ret
        .size   f, . - f
