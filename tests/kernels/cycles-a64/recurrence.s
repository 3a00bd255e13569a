/* x[i] = x[i - 1] * 0.5 + x[i]: the load waits for the store of the round before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 18 */
/* link: before memory 10 1 */
/* link: product register 5 0 */
/* link: sum register 3 0 */
/* link: put data 0 0 */
        .globl f
f:
.Lbefore: ldur d1, [x2, #-8]
.Lproduct: fmul d1, d1, d2
        ldr d0, [x2]
.Lsum:  fadd d0, d0, d1
.Lput:  str d0, [x2], #8
        cmp x2, x0
        b.ne .Lbefore
        ret
