/* Dc zva writes zeros to the line that an address lies in. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: zva    -> byte   dk=0 */
/* expect: zva    -> zero   dk=0 */
/* expect: by     -> known  dk=0 */

        .globl  _start
_start:
.Lloop:
        and     x2, x0, #-64
.Lzva:  dc      zva, x0
.Lbyte: ldrb    w1, [x0]
.Lzero: ldr     x3, [x2, #56]
        ldr     x4, [x2, #64]
.Lby:   str     x5, [x6]
.Lknown: ldr    x7, [x6, x3]
        add     x0, x0, #128
        add     x6, x6, x8
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
