/* A load into a lane keeps the others, but the address does not wait for them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 2 */
/* link: get register 2 1 */
        .globl f
f:
.Lget:  ld1 {v0.s}[1], [x1], #4
        cmp x1, x5
        b.ne .Lget
        ret
