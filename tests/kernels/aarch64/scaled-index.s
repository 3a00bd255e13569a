/* Addresses of an array that agree through shifts and extensions of the
   index; the store runs three elements ahead. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load    dk=3 */
/* expect: store -> extend  dk=3 */

        .globl  _start
_start:
        mov     w2, #0
.Lloop:
        and     x2, x2, #0x7fffffff
.Lload: ldr     w1, [x0, x2, lsl #2]
.Lextend: ldr   w3, [x0, w2, sxtw #2]
        add     x4, x0, x2, lsl #2
.Lstore: str    w1, [x4, #12]
        add     w2, w2, #1
        cmp     w2, w5
        b.lt    .Lloop
        ret
