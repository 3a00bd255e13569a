/* A sum of vectors in memory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 13 */
/* link: get memory 10 1 */
/* link: sum register 3 0 */
/* link: put data 0 0 */
        .globl f
f:
.Lget:  ldr q0, [x0]
        ldr q1, [x1], #16
.Lsum:  fadd v0.4s, v0.4s, v1.4s
.Lput:  str q0, [x0]
        sub x2, x2, #1
        cbnz x2, .Lget
        ret
