/* A post-indexed load moves the pointer past what it reads: the store through
   it is read in the next iteration. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1 */

        .globl  _start
_start:
.Lloop:
.Lload: ldr     x1, [x0], #8
        add     x1, x1, #1
.Lstore: str    x1, [x0]
        subs    x2, x2, #1
        b.ne    .Lloop
        ret
