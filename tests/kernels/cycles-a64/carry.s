/* An addition with carry waits for the flags of the one before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 2 */
/* link: carry register 2 1 */
        .globl f
f:
.Lagain: ldr x4, [x1], #8
.Lcarry: adcs x3, x4, x5
        sub x2, x2, #1
        cbnz x2, .Lagain
        ret
