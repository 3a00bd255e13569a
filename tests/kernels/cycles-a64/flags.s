/* A selection waits for the flags of its comparison. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 3 */
/* memory: 3 */
/* link: compare register 1 1 */
/* link: select register 2 0 */
        .globl f
f:
.Lagain: ldr x4, [x1], #8
.Lcompare: cmp x3, x4
.Lselect: csel x3, x4, x5, gt
        sub x2, x2, #1
        cbnz x2, .Lagain
        ret
