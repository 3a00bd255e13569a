/* A conditional select between two equal pointers decides nothing; between
   others it is decided by flags that are known. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> same    dk=0 */
/* expect: store -> chosen  dk=0 */

        .globl  _start
_start:
.Lloop:
.Lstore: str    x1, [x0]
        mov     x3, x0
        cmp     x8, #0
        csel    x4, x3, x0, eq
.Lsame: ldr     x5, [x4]
        mov     x6, #3
        cmp     x6, #4
        csel    x7, x0, x1, lt
.Lchosen: ldr   x7, [x7]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
