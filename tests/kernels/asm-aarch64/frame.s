/* What the kernels of this folder share.  Most are a loop, `.Lloop`, of a thousand rounds,
   over data that x0 points to. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  bss name, size, align=64
        .pushsection .bss
        .balign \align
\name: .skip   \size
        .popsection
        .endm
        .macro  start size=64
        mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
        bss     .Ldata, \size
        .endm
        .macro  loop size=64
        start   \size
.Lloop:
        .endm
        .macro  exit
        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0
        .endm
        .macro  again
        subs    x9, x9, #1
        b.ne    .Lloop
        exit
        .endm
        .arch   armv8-a+lse
        .globl  _start
_start:
