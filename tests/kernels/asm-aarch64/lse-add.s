/* An atomic addition reads twice for VEX: a load, and that of the
   compare-and-swap which then writes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: add -> add  dk=1  n=1998  d=3 */

        .arch   armv8-a+lse
        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Ladd:  ldaddal x1, x2, [x0]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
