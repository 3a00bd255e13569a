/* One register of a pair is the zero register. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, what VEX drops is not in the trace */
/* expect: set -> first  dk=0  n=2000  d=1 */
/* expect: set -> second  dk=0  n=2000  d=2 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lset:  stp     x1, x2, [x0]
.Lfirst: ldp     xzr, x3, [x0]
.Lsecond: ldp     x3, xzr, [x0]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
