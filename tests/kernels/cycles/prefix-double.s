/* The same with doubles: a multiplication and an addition in the chain. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 13 */
/* link: mul memory 5 1 */
/* link: mul register 4 0 */
/* link: add register 4 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movsd   (%rdi), %xmm1
        movapd  %xmm2, %xmm0
.Lmul:  mulsd   -8(%rdi), %xmm0
.Ladd:  addsd   %xmm1, %xmm0
.Lstore: movsd  %xmm0, (%rdi)
.Lstep: addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload
        ret
        .size   f, . - f
