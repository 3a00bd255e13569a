/* The flag of saturation is set and never waited for. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 1 */
        .globl f
f:
.Lagain: sqadd v0.4s, v1.4s, v2.4s
        sqadd v3.4s, v4.4s, v5.4s
.Lcount: sub x2, x2, #1
        cbnz x2, .Lagain
        ret
