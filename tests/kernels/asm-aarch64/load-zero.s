/* A load into the zero register is a load, although VEX drops it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, what VEX drops is not in the trace */
/* expect: set -> quad  dk=0  n=1000  d=1 */
/* expect: set -> word  dk=0  n=1000  d=2 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lset:  str     x1, [x0]
.Lquad: ldr     xzr, [x0]
.Lword: ldr     wzr, [x0, #4]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
