/* A load that straddles two stores depends on both. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: low -> get  dk=0  n=1000  d=2 */
/* expect: high -> get  dk=0  n=1000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Llow:  str     w1, [x0]
.Lhigh: str     w1, [x0, #4]
.Lget:  ldr     x2, [x0]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
