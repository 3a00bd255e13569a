/* Stores of several vector registers at a pointer that moves on. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load    dk=1 */
/* expect: store -> second  dk=0 */
/* expect: store -> moving  dk=0 */

        .globl  _start
_start:
.Lloop:
.Lload: ld1     {v2.16b}, [x0]
.Lstore: st1    {v0.16b, v1.16b}, [x0]
.Lsecond: ldr   x3, [x0, #24]
.Lmoving: ld1   {v3.8b}, [x0], #8
        st1     {v3.8b}, [x4], #8
        add     x0, x0, #8
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
