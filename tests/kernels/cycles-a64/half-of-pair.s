/* A load of the second half of a pair waits for its register alone. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 16 */
/* link: get memory 9 1 */
/* link: product register 7 0 */
/* link: put data 0 0 */
        .globl f
f:
.Lget:  ldr x4, [x0, #8]
        add x3, x2, #1
.Lproduct: mul x4, x4, x5
.Lput:  stp x3, x4, [x0]
        sub x2, x2, #1
        cbnz x2, .Lget
        ret
