/* What the kernel writes has no writer. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: nothing */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        mov     x10, x0
.Lloop:
.Lset:  str     x1, [x10]
        mov     x8, #113
        mov     x0, #1
        mov     x1, x10
        svc     #0
.Lget:  ldr     x2, [x10]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
