/* A sum in a field of a structure. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 10 */
/* link: get memory 9 1 */
/* link: sum register 1 0 */
/* link: put data 0 0 */
        .globl f
f:
.Lget:  ldr x4, [x0, #8]
        ldr x5, [x1], #8
.Lsum:  add x4, x4, x5
.Lput:  str x4, [x0, #8]
        sub x2, x2, #1
        cbnz x2, .Lget
        ret
