/* A called function saves its frame and its return address. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: save -> restore  dk=0  n=2000  d=1 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
        bl      .Lfunction
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0
.Lfunction:
        nop
.Lsave: stp     x29, x30, [sp, #-16]!
.Lrestore: ldp     x29, x30, [sp], #16
        ret

        .bss
        .balign 64
.Ldata: .skip   64
