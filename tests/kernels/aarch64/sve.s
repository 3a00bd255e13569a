/* Vectors whose length is unknown: their accesses are at unknown addresses, but
   they leave the general registers alone, and all else is found. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: write -> read    dk=0 */
/* expect: spill -> fill    dk=0 */
/* expect: write -> again   dk=0 */

        .arch   armv8.2-a+sve
        .globl  _start
_start:
.Lloop:
        ptrue   p0.b
        whilelo p1.b, x1, x2
.Lwrite: str    x1, [x0]
        ld1b    {z0.b}, p0/z, [x0]
        add     z0.b, z0.b, z1.b
        st1b    {z0.b}, p0, [x0, #1, mul vl]
.Lread: ldr     x3, [x0]
        fmov    x4, d0
        ldr     x5, [x4]
        mov     x6, #0
        incb    x6
        ldr     x5, [x0, x6]
        fmov    d6, x0
        ld2w    {z4.s, z5.s}, p0/z, [x7]
.Lspill: str    d6, [x8]
.Lfill: ldr     x10, [x8]
.Lagain: ldr    x11, [x10]
        add     x0, x0, x12
        add     x8, x8, x13
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
