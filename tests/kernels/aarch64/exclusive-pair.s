/* 16 bytes at once: the exclusive pair. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load   dk=1 */
/* expect: store -> plain  dk=0 */

        .globl  _start
_start:
.Lloop:
.Lload: ldxp    x1, x2, [x0]
        adds    x1, x1, #1
        adc     x2, x2, xzr
.Lstore: stxp   w3, x1, x2, [x0]
.Lplain: ldr    x4, [x0, #8]
        cbnz    w3, .Lloop
        ret
