/* A literal lies in the code, which nobody stored. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: nothing */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lget:  ldr     x1, .Lvalue
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0
        .balign 8
.Lvalue: .quad  1

        .bss
        .balign 64
.Ldata: .skip   64
