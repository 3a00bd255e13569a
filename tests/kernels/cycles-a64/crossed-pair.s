/* Each register of a pair is stored where the other one is loaded: two rounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 15 */
/* link: get memory 11 1 */
/* link: get memory 11 1 */
/* link: product register 7 0 */
/* link: put data 0 0 */
/* link: put data 0 0 */
/* link: sum register 1 0 */
        .globl f
f:
.Lget:  ldp x3, x4, [x0]
.Lsum:  add x3, x3, #1
.Lproduct: mul x4, x4, x5
.Lput:  stp x4, x3, [x0]
        sub x2, x2, #1
        cbnz x2, .Lget
        ret
