/* Two ADRPs of one variable at different places in the code give one address;
   that of another variable gives another. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load   dk=0 */
/* expect: store -> plain  dk=0 */

        .globl  _start
_start:
.Lloop:
        adrp    x0, .Lvariable
        add     x0, x0, :lo12:.Lvariable
.Lstore: str    x1, [x0]
        adrp    x2, .Lvariable
.Lload: ldr     x3, [x2, :lo12:.Lvariable]
        adr     x4, .Lloop
        sub     x4, x4, x5
        adrp    x6, .Lother
        ldr     x6, [x6, :lo12:.Lother]
        add     x4, x4, x5
        adr     x7, .Lloop
        sub     x7, x4, x7
.Lplain: ldr    x7, [x0, x7]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret

        .bss
        .balign 8192
.Lvariable: .skip 8
.Lother: .skip  8
