/* As scope.s, for AArch64.  It is analysed and not run. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: loop */
/* A loop with a call, another block that overwrites a slot, and an inner loop;
   and a switch in a loop. */
/* expect: keep -> kept  block=1  loop=1  n=0 */
/* expect: change -> changed  block=1  loop=-  n=0 */
/* expect: link -> linked  block=1  loop=-  n=0 */
/* expect: slot -> slots  block=1  loop=-  n=0 */
/* expect: stay -> stays  block=1  loop=1  n=0 */
/* expect: move -> moves  block=1  loop=-  n=0 */
/* expect: case -> cases  block=1  loop=1  n=0 */

        .globl  _start
        .type   _start, %function
_start: mov     w20, 10
.Lkept: ldr     x9, [x19]
.Lkeep: str     x9, [x19]
.Lchanged: ldr     x9, [x1]
.Lchange: str     x9, [x1]
.Llinked: ldr     x9, [x30]
.Llink: str     x9, [x30]
.Lslots: ldr     x9, [sp, 8]
.Lslot: str     x9, [sp, 8]
.Lstays: ldr     x9, [sp, 16]
.Lstay: str     x9, [sp, 16]
.Lmoves: ldr     x9, [x21]
.Lmove: str     x9, [x21]
        bl      other
        str     xzr, [sp, 8]
.Linner: add     x21, x21, 8
        sub     x22, x22, 1
        cbnz    x22, .Linner
        subs    w20, w20, 1
        b.ne    .Lkept
        svc     0
        .size   _start, . - _start

        .type   other, %function
other:  br      x3
        nop
.Lcases: ldr    x9, [x4]
.Lcase: str     x9, [x4]
        cbnz    x3, other
        ret
        .size   other, . - other
