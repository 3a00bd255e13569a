/* Every form of a load may name the zero register. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, what VEX drops is not in the trace */
/* expect: set -> index  dk=?  n=1000  d=1 */
/* expect: set -> sign  dk=0  n=1000  d=2 */
/* expect: set -> near  dk=0  n=1000  d=3 */
/* expect: set -> order  dk=0  n=1000  d=4 */
/* expect: set -> wide  dk=?  n=1000  d=5 */
/* expect: set -> post  dk=0  n=1000  d=7 */
/* expect: set -> pre  dk=0  n=1000  d=8 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        mov     x3, #1
        mov     w4, #-1
        add     x5, x0, #8
.Lloop:
.Lset:  str     x1, [x0]
.Lindex: ldrb    wzr, [x0, x3]
.Lsign: ldrsh   wzr, [x0, #2]
.Lnear: ldur    wzr, [x0, #1]
.Lorder: ldar    xzr, [x0]
.Lwide: ldr     wzr, [x5, w4, sxtw #2]
        mov     x6, x0
.Lpost: ldr     xzr, [x6], #16
.Lpre:  ldr     wzr, [x6, #-12]!
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
