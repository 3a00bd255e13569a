/* A sum of products of vectors, which is its own operand. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 2 */
/* link: sum register 2 1 */
        .globl f
f:
.Lagain: ldr q1, [x1], #16
        ldr q2, [x2], #16
.Lsum:  fmla v0.2d, v1.2d, v2.2d
        sub x3, x3, #1
        cbnz x3, .Lagain
        ret
