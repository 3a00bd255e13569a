/* A polynomial: the operand that is multiplied comes first. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 4 */
/* memory: 4 */
/* link: sum register 4 1 */
        .globl f
f:
.Lagain: ldr d1, [x1], #8
.Lsum:  fmadd d0, d0, d2, d1
        sub x3, x3, #1
        cbnz x3, .Lagain
        ret
