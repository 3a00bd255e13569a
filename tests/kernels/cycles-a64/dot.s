/* A sum of products: the operand that is added to comes late. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 2 */
/* link: sum register 2 1 */
        .globl f
f:
.Lagain: ldr d1, [x1], #8
        ldr d2, [x2], #8
.Lsum:  fmadd d0, d1, d2, d0
        sub x3, x3, #1
        cbnz x3, .Lagain
        ret
