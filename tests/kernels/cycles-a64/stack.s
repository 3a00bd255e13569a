/* What is pushed is popped in the same round. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 10 */
/* link: push data 0 1 */
/* link: pop memory 9 0 */
/* link: sum register 1 0 */
        .globl f
f:
.Lpush: str x3, [sp, #-16]!
.Lpop:  ldr x3, [sp], #16
.Lsum:  add x3, x3, #1
        sub x2, x2, #1
        cbnz x2, .Lpush
        ret
