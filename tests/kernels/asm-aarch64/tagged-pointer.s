/* The processor ignores the upper byte of an address. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, lackey shows the tag */
/* expect: set -> get  dk=?  n=1000  d=1 */
/* expect: pair -> two  dk=?  n=2000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        movz    x10, #0x5500, lsl #48
        orr     x10, x10, x0
.Lloop:
.Lset:  str     x1, [x10]
.Lget:  ldr     x2, [x0]
.Lpair: stp     q1, q2, [x0, #32]
.Ltwo:  ldp     q3, q4, [x10, #32]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
