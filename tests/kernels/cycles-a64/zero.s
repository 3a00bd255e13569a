/* What is loaded into the zero register, or stored from it, is no value of a chain. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 1 */
        .globl f
f:
.Lagain: ldr xzr, [x0]
        str xzr, [x0]
.Lcount: sub x2, x2, #1
        cbnz x2, .Lagain
        ret
