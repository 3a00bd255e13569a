/* Structures of two elements are two accesses of 16 bytes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> get  dk=0  n=2000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lset:  st2     {v1.16b, v2.16b}, [x0]
.Lget:  ld2     {v3.16b, v4.16b}, [x0]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
