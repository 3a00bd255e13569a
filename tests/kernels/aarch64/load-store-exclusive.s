/* The loop of an atomic increment without LSE: the store-conditional writes
   what the next load-exclusive reads. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1 */

        .globl  _start
_start:
.Lloop:
.Lload: ldaxr   w1, [x0]
        add     w1, w1, #1
.Lstore: stlxr  w2, w1, [x0]
        cbnz    w2, .Lloop
        ret
