/* A store-exclusive without a reservation stores nothing. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, lackey shows a store */
/* expect: set -> load  dk=0  n=1000  d=1 */
/* expect: set -> get  dk=?  n=1000  d=4 */
/* expect: store -> get  dk=0  n=0 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lset:  str     x1, [x0]
.Lload: ldxr    x2, [x0]
        clrex
.Lstore: stxr    w3, x2, [x0]
.Lget:  ldr     x4, [x0]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
