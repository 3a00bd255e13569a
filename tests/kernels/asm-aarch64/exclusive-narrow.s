/* An atomic increment of a byte that acquires and releases. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1  n=999  d=4 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Ldata
        add     x0, x0, :lo12:.Ldata
.Lloop:
.Lload: ldaxrb  w1, [x0]
        add     w1, w1, #1
.Lstore: stlxrb  w2, w1, [x0]
        cbnz    w2, .Lloop
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Ldata: .skip   64
