/* A pool of constants between two functions is no code, and does not derail
   the code behind it.  What a literal load reads was written by nobody. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0 */
/* expect: store2 -> load2  dk=1 */

        .globl  _start
        .type   _start, @function
_start:
.Lloop: ldr     x1, =0x123456789abcdef0
.Lstore: str    x1, [x0]
.Lload: ldr     x2, [x0]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
        .ltorg
        .type   next, @function
next:
.Lagain:
.Lload2: ldr    x2, [x0], #8
.Lstore2: str   x2, [x0]
        cbnz    x2, .Lagain
        ret
