/* A pre-indexed store writes where the pointer goes to; the load reads what
   the iteration before wrote there, and the one in the body what this did. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> before  dk=1 */
/* expect: store -> after   dk=0 */

        .globl  _start
_start:
.Lloop:
.Lbefore: ldr   x1, [x0]
.Lstore: str    x1, [x0, #-8]!
.Lafter: ldr    x3, [x0]
        cbnz    x3, .Lloop
        ret
