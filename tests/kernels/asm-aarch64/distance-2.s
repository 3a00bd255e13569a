/* A ring of two words: what was stored two iterations ago. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> get  dk=2  n=998  d=9 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        mov     x3, #0
.Lloop:
.Lget:  ldr     x2, [x0, x3]
.Lset:  str     x2, [x0, x3]
        eor     x3, x3, #8
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
