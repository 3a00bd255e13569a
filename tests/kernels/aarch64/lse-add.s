/* Each atomic operation of LSE reads and writes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: add   -> clear  dk=0 */
/* expect: clear -> eor    dk=0 */
/* expect: eor   -> set    dk=0 */
/* expect: set   -> max    dk=0 */
/* expect: max   -> swap   dk=0 */
/* expect: swap  -> none   dk=0 */
/* expect: none  -> add    dk=1 */

        .arch   armv8-a+lse
        .globl  _start
_start:
.Lloop:
.Ladd:  ldaddal x1, x2, [x0]
.Lclear: ldclr  x1, x2, [x0]
.Leor:  ldeora  x1, x2, [x0]
.Lset:  ldsetl  x1, x2, [x0]
.Lmax:  ldumax  x1, x2, [x0]
.Lswap: swpal   x1, x2, [x0]
.Lnone: stadd   x1, [x0]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
