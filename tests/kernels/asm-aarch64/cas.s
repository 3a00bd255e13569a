/* A compare-and-swap that succeeds reads once and writes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: swap -> swap  dk=?  n=999  d=4 */

        .arch   armv8-a+lse
        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        mov     x1, #0
        mov     x2, #0
.Lloop:
.Lswap: casal   x1, x2, [x0]
        mov     x1, #0
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
