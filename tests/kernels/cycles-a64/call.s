/* A call that is not known overwrites x1, and keeps x19 and the lower half of v8. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 3 */
/* memory: 3 */
/* link: kept register 3 1 */

        .globl  f
        .type   f, %function
f:
.Lround: mul    x1, x1, x1
        mul     x1, x1, x1
.Lkept: fadd    d8, d8, d0
        blr     x20
        subs    x19, x19, #1
        b.ne    .Lround
        ret
        .size   f, . - f
