/* A round ends with the test of a bit. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 10 */
/* link: get memory 9 1 */
/* link: sum register 1 0 */
/* link: put data 0 0 */
        .globl f
f:
.Lget:  ldr w4, [x0]
.Lsum:  add w4, w4, #1
.Lput:  str w4, [x0]
        add x2, x2, #1
        tbz x2, #10, .Lget
        ret
