/* Rounds that share nothing but their counter. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 1 */
/* link: count register 1 1 */
        .globl f
f:
.Lagain: ldr d0, [x1, x3, lsl #3]
        fadd d0, d0, d1
        str d0, [x0, x3, lsl #3]
.Lcount: add x3, x3, #1
        cmp x2, x3
        b.ne .Lagain
        ret
