/* The lower parts of vector registers are stored and loaded; one comes from a general
   register. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: byte -> byte2  dk=0  n=1000  d=1 */
/* expect: word -> word2  dk=0  n=1000  d=1 */
/* expect: quad -> quad2  dk=0  n=1000  d=1 */
/* expect: moved -> moved2  dk=0  n=1000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lbyte: str     b1, [x0]
.Lbyte2: ldr     b2, [x0]
.Lword: str     s1, [x0, #4]
.Lword2: ldr     s2, [x0, #4]
.Lquad: str     d1, [x0, #8]
.Lquad2: ldr     d2, [x0, #8]
        fmov    s3, w9
.Lmoved: str     s3, [x0, #16]
.Lmoved2: ldr     w4, [x0, #16]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
