/* Loads and stores of later versions of the architecture, that are like older
   ones but for their order or their privileges. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store    -> ldapr    dk=0 */
/* expect: stlur    -> ldapur   dk=0 */
/* expect: stlurb   -> ldapursb dk=0 */
/* expect: sttr     -> ldtr     dk=0 */
/* expect: stllr    -> ldlar    dk=0 */
/* expect: through  -> kept     dk=0 */

        .arch   armv8.4-a+lor
        .globl  _start
_start:
.Lloop:
.Lstore: str    x1, [x0]
.Lldapr: ldapr  x2, [x0]
.Lstlur: stlur  x1, [x0, #-8]
.Lldapur: ldapur x2, [x0, #-8]
.Lstlurb: stlurb w1, [x0, #19]
.Lldapursb: ldapursb x2, [x0, #19]
.Lsttr: sttr    x0, [x3, #24]
.Lldtr: ldtr    x4, [x3, #24]
.Lstllr: stllr  x1, [x5]
.Lldlar: ldlar  x2, [x5]
.Lthrough: str  x1, [x0, #40]
.Lkept: ldr     x2, [x4, #40]
        add     x0, x0, x6
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
