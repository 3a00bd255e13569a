/* Pairs of vector registers, and of their parts.  A pointer that is spilled
   through a vector register keeps its value. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: pair  -> upper    dk=0 */
/* expect: pair  -> half     dk=0 */
/* expect: spill -> fill     dk=0 */
/* expect: first -> second   dk=0 */

        .globl  _start
_start:
.Lloop:
.Lpair: stp     q0, q1, [sp, #-64]
.Lupper: ldr    q2, [sp, #-48]
.Lhalf: ldp     d3, d4, [sp, #-40]
        fmov    d5, x0
.Lspill: str    d5, [sp, #-80]
.Lfirst: str    x1, [x0]
.Lfill: ldr     x3, [sp, #-80]
.Lsecond: ldr   x4, [x3]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
