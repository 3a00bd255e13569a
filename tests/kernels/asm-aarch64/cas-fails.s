/* A compare-and-swap that fails only reads. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, lackey shows a store */
/* expect: set -> swap  dk=0  n=1000  d=2 */
/* expect: set -> get  dk=0  n=1000  d=3 */

        .arch   armv8-a+lse
        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        mov     x1, #1
.Lloop:
.Lset:  str     x1, [x0]
        mov     x3, #5
.Lswap: cas     x3, x2, [x0]
.Lget:  ldr     x4, [x0]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
