/* What a function's ends do: a pair pushed with a pre-index is popped with a
   post-index, and the stack pointer is where it was. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: push -> pop  dk=0 */

        .globl  _start
_start:
.Lloop:
.Lpush: stp     x29, x30, [sp, #-16]!
        mov     x29, sp
        add     x1, x1, #1
.Lpop:  ldp     x29, x30, [sp], #16
        tbz     x1, #20, .Lloop
        ret
