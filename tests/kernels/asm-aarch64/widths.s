/* Each width is stored and loaded. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: byte -> byte2  dk=0  n=1000  d=1 */
/* expect: half -> half2  dk=0  n=1000  d=1 */
/* expect: word -> word2  dk=0  n=1000  d=1 */
/* expect: quad -> quad2  dk=0  n=1000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lbyte: strb    w1, [x0]
.Lbyte2: ldrb    w2, [x0]
.Lhalf: strh    w1, [x0, #2]
.Lhalf2: ldrh    w2, [x0, #2]
.Lword: str     w1, [x0, #4]
.Lword2: ldr     w2, [x0, #4]
.Lquad: str     q1, [x0, #16]
.Lquad2: ldr     q2, [x0, #16]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
