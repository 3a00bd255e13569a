/* A negative index of 32 bits is extended. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> get  dk=?  n=1000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        mov     w3, #-4
        add     x4, x0, #32
.Lloop:
.Lset:  str     w1, [x4, w3, sxtw #2]
.Lget:  ldr     w2, [x0, #16]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
