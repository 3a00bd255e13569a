/* An atomic addition waits for the one before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 8 */
/* memory: 10 */
/* link: sum memory 9 1 */
/* link: sum register 1 0 */
        .globl f
f:
        .arch armv8.1-a
.Lsum:  ldadd x3, x4, [x0]
        sub x2, x2, #1
        cbnz x2, .Lsum
        ret
