/* Tags of pointers and of memory are not seen; what clears or stores data beside
   them is. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: write  -> tagged  dk=0 */
/* expect: added  -> there   dk=0 */
/* expect: stzg   -> zeros   dk=0 */
/* expect: stzg   -> zeros2  dk=0 */
/* expect: by     -> known   dk=0 */
/* expect: stz2g  -> upper   dk=0 */
/* expect: beyond -> beside  dk=0 */
/* expect: stgp   -> first   dk=0 */
/* expect: stgp   -> second  dk=0 */
/* expect: moved  -> base    dk=0 */

        .arch   armv8.5-a+memtag
        .globl  _start
_start:
.Lloop:
.Lwrite: str    x1, [x0]
        irg     x3, x0
        stg     x3, [x3]
        ldg     x3, [x3]
.Ltagged: ldr   x4, [x3]
.Ladded: str    x1, [x0, #48]
        addg    x5, x0, #64, #3
        subg    x5, x5, #16, #1
.Lthere: ldr    x4, [x5]
.Lbeyond: str   x1, [x20, #16]
.Lstzg: stzg    x3, [x20]
.Lzeros: ldr    x6, [x20, #8]
.Lbeside: ldr   x4, [x20, #16]
.Lzeros2: ldrb  w4, [x20]
.Lby:   str     x1, [x21]
.Lknown: ldr    x4, [x21, x6]
.Lstz2g: stz2g  x3, [x22, #-32]
.Lupper: ldr    x4, [x22, #-8]
.Lstgp: stgp    x1, x0, [x23, #16]
.Lfirst: ldr    x4, [x23, #16]
.Lsecond: ldr   x4, [x23, #24]
        mov     x7, x24
.Lmoved: str    x1, [x24, #80]
        stg     x7, [x7], #48
        st2g    x7, [x7, #32]!
.Lbase: ldr     x4, [x7]
        subp    x8, x7, x24
        ldr     x4, [x24, x8]
        add     x0, x0, x11
        add     x20, x20, x12
        add     x21, x21, x13
        add     x22, x22, x14
        add     x23, x23, x15
        add     x24, x24, x16
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
