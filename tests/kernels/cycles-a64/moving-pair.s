/* A pair that moves meets the pair of the round before, part by part. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 18 */
/* link: get memory 11 1 */
/* link: product register 7 0 */
/* link: put data 0 0 */
        .globl f
f:
.Lget:  ldp x3, x4, [x0]
        add x3, x3, #1
.Lproduct: mul x4, x4, x5
.Lput:  stp x3, x4, [x0, #16]!
        sub x2, x2, #1
        cbnz x2, .Lget
        ret
