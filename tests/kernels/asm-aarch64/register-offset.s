/* The address is a base and a scaled index. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> get  dk=?  n=1000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        mov     x3, #3
.Lloop:
.Lset:  str     x1, [x0, x3, lsl #3]
.Lget:  ldr     x2, [x0, #24]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
