/* Two arrays that nothing says to overlap, and a store that nobody reads. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: nothing */

        .globl  _start
_start:
.Lloop:
        ldr     q0, [x0], #16
        str     q0, [x1], #16
        ldp     x2, x3, [x4], #-16
        stp     x2, x3, [x5, #-16]!
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
