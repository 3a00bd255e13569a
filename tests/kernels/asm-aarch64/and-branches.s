/* Two branches to one place, as of `a && b`: the second condition is executed only where
   the first branch is not taken. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=-  n=1000  d=2..5 */

        .globl  _start
_start: mov     x9, #1000
        adrp    x0, .Lplace
        add     x0, x0, :lo12:.Lplace
.Lloop:
.Lstore: str    w9, [x0]
        tbnz    w9, #0, .Lload
        cmp     w9, #1000
        b.eq    .Lload
        nop
.Lload: ldr     w2, [x0]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .bss
        .balign 64
.Lplace: .skip  64
