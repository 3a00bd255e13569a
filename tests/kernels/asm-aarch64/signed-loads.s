/* Loads that extend a sign read parts of what was stored. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> byte  dk=0  n=1000  d=1 */
/* expect: set -> half  dk=0  n=1000  d=2 */
/* expect: set -> word  dk=0  n=1000  d=3 */
/* forward: set -> byte  contained=1000 */
/* forward: set -> half  contained=1000 */
/* forward: set -> word  contained=1000 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lset:  str     x1, [x0]
.Lbyte: ldrsb   x2, [x0]
.Lhalf: ldrsh   w2, [x0, #2]
.Lword: ldrsw   x2, [x0, #4]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
