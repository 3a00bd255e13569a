/* Atomics of 8 and 16 bits touch no more than that. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: byte -> byte  dk=1 */
/* expect: half -> half  dk=1 */
/* expect: byte -> word  dk=0 */
/* expect: half -> word  dk=0 */

        .arch   armv8-a+lse
        .globl  _start
_start:
.Lloop:
        add     x3, x0, #2
.Lbyte: ldaddb  w1, w2, [x0]
.Lhalf: swph    w1, w2, [x3]
.Lword: ldr     w4, [x0]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
