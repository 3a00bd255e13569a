/* A load into the zero register reads memory, in each form; no register changes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> byte      dk=0 */
/* expect: set -> half      dk=0 */
/* expect: set -> word      dk=0 */
/* expect: set -> unscaled  dk=0 */
/* expect: set -> user      dk=0 */
/* expect: set -> pair      dk=0 */
/* expect: set -> once      dk=0 */
/* expect: set -> plain     dk=0 */
/* expect: set -> kept      dk=0 */
/* expect: far -> index     dk=0 */
/* expect: far -> signed    dk=0 */
/* expect: near -> extended dk=0 */

        .globl  _start
_start:
.Lloop:
.Lset:  str     x6, [x0]
.Lfar:  str     x6, [x0, x3]
.Lnear: str     x6, [x0, w4, uxtw]
.Lbyte: ldrsb   xzr, [x0]
.Lhalf: ldrsh   wzr, [x0]
.Lword: ldrsw   xzr, [x0]
.Lunscaled: ldursh  xzr, [x0, #1]
.Luser: ldtrsh  wzr, [x0]
.Lpair: ldp     xzr, x5, [x0]
.Lonce: ldnp    xzr, x5, [x0]
.Lindex: ldr     xzr, [x0, x3]
.Lsigned: ldrsb   xzr, [x0, x3]
.Lextended: ldr     wzr, [x0, w4, uxtw]
.Lplain: ldr     xzr, [x0]
.Lkept: ldr     x7, [x0]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
