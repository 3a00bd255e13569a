/* A pointer that is signed and checked is the pointer that it was. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: write -> signed   dk=0 */
/* expect: write -> checked  dk=0 */
/* expect: link  -> follow   dk=0 */
/* expect: next  -> rebased  dk=0 */
/* expect: write -> loaded   dk=0 */
/* expect: next  -> behind   dk=0 */

        .arch   armv8.3-a
        .globl  _start
_start:
.Lloop:
.Lwrite: str    x1, [x0]
        mov     x3, x0
        pacda   x3, x7
.Lsigned: ldr   x4, [x3]
        autda   x3, x7
.Lchecked: ldr  x4, [x3]
        pacdza  x3
.Llink: str     x3, [x8, #-16]
.Lfollow: ldraa x4, [x8, #-16]
.Lloaded: ldr   x5, [x4]
.Lnext: str     x3, [x8, #24]
        mov     x10, x8
.Lrebased: ldrab x4, [x10, #24]!
.Lbehind: ldr   x5, [x10]
        pacga   x6, x3, x7
        ldr     x4, [x6]
        add     x0, x0, x11
        add     x8, x8, x12
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        retaa
