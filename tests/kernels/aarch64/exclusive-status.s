/* A store-exclusive is taken to succeed: its status, from which an address is made, is
   0. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0 */

        .globl  _start
_start:
.Lloop:
        ldxr    x1, [x0]
.Lstore: stxr   w2, x3, [x0]
.Lload: ldr     x4, [x0, w2, uxtw]
        add     x0, x0, x11
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
