/* The address itself is loaded. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> get  dk=0  n=1000  d=2 */
/* expect: keep -> load  dk=0  n=1000  d=2 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lkeep: str     x0, [x0, #16]
.Lset:  str     x1, [x0]
.Lload: ldr     x3, [x0, #16]
.Lget:  ldr     x2, [x3]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
