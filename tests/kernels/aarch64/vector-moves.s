/* A pointer keeps its value on its way through lanes that are rotated, turned
   around, widened, narrowed and put back one by one. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: write -> rotated  dk=0 */
/* expect: write -> turned   dk=0 */
/* expect: write -> narrowed dk=0 */
/* expect: write -> lane     dk=0 */
/* expect: write -> short    dk=0 */

        .globl  _start
_start:
.Lloop:
.Lwrite: str    x1, [x0]
        fmov    d0, x0
        ext     v1.16b, v0.16b, v0.16b, #3
        ext     v1.16b, v1.16b, v1.16b, #5
        mov     x3, v1.d[1]
.Lrotated: ldr  x4, [x3]
        rev64   v2.16b, v0.16b
        rev32   v2.8h, v2.8h
        rev16   v2.16b, v2.16b
        rev64   v2.4s, v2.4s
        rev64   v2.16b, v2.16b
        rev32   v2.16b, v2.16b
        rev64   v2.4s, v2.4s
        rev64   v2.8h, v2.8h
        rev32   v2.8h, v2.8h
        rev64   v2.4s, v2.4s
        fmov    x3, d2
.Lturned: ldr   x4, [x3]
        ushll   v3.2d, v0.2s, #0
        xtn     v3.2s, v3.2d
        ushll   v3.4s, v3.4h, #0
        xtn     v3.4h, v3.4s
        ushll   v3.8h, v3.8b, #0
        xtn     v3.8b, v3.8h
        fmov    x3, d3
.Lnarrowed: ldr x4, [x3]
        mov     b4, v0.b[7]
        mov     v0.b[7], v4.b[0]
        mov     h4, v0.h[2]
        mov     v0.h[2], v4.h[0]
        fmov    x3, d0
.Llane: ldr     x4, [x3]
        ext     v5.8b, v0.8b, v0.8b, #6
        ext     v5.8b, v5.8b, v5.8b, #2
        fmov    x3, d5
.Lshort: ldr    x4, [x3]
        add     x0, x0, x5
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
