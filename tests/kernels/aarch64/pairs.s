/* A pair is two registers side by side: each half can be read alone, and a
   load of the pair reads what two stores wrote. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: pair -> low    dk=0 */
/* expect: pair -> high   dk=0 */
/* expect: one  -> both   dk=0 */
/* expect: two  -> both   dk=0 */
/* expect: pair -> words  dk=0 */
/* expect: once -> again  dk=0 */
/* expect: wide -> vectors  dk=0 */

        .globl  _start
_start:
.Lloop:
.Lpair: stp     x1, x2, [sp, #-64]
.Llow:  ldr     x3, [sp, #-64]
.Lhigh: ldr     x4, [sp, #-56]
.Lwords: ldpsw  x7, x8, [sp, #-60]
.Lone:  str     x1, [sp, #-32]
.Ltwo:  str     x2, [sp, #-24]
.Lboth: ldp     x5, x6, [sp, #-32]
.Lonce: stnp    x1, x2, [sp, #-96]      // a hint that it is not needed soon
.Lagain: ldnp    x10, x11, [sp, #-96]
.Lwide: stp     d1, d2, [sp, #-128]
.Lvectors: ldnp    d3, d4, [sp, #-128]
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
