/* A compare-and-swap stores only if it finds what it expects: the first does,
   since the value was loaded just before; the second expects something else. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: works -> fails  dk=0 */
/* expect: works -> value  dk=1 */
/* expect: works -> works  dk=1 */

        .arch   armv8-a+lse
        .globl  _start
_start:
.Lloop:
.Lvalue: ldr    x1, [x0]
        add     x2, x1, #1
.Lworks: casal  x1, x2, [x0]
.Lfails: cas    x5, x6, [x0]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
