/* Exclusive accesses, the atomics of LSE, acquire and release. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: acquire-release */
/* A load-acquire reads what a store-release wrote. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        loop
.Lset:  stlr    x1, [x0]
.Lget:  ldar    x2, [x0]
        again

/* kernel: cas */
/* A compare-and-swap that succeeds reads once and writes. */
/* expect: swap -> swap  dk=?  n=999  d=4 */
        start
        mov     x1, #0
        mov     x2, #0
.Lloop:
.Lswap: casal   x1, x2, [x0]
        mov     x1, #0
        again

/* kernel: cas-fails */
/* A compare-and-swap that fails only reads. */
/* oracle: off, lackey shows a store */
/* expect: set -> swap  dk=0  n=1000  d=2 */
/* expect: set -> get  dk=0  n=1000  d=3 */
        start
        mov     x1, #1
.Lloop:
.Lset:  str     x1, [x0]
        mov     x3, #5
.Lswap: cas     x3, x2, [x0]
.Lget:  ldr     x4, [x0]
        again

/* kernel: cas-pair */
/* A compare-and-swap of a pair. */
/* expect: swap -> swap  dk=?  n=999  d=5 */
        start
        mov     x2, #0
        mov     x3, #0
        mov     x4, #0
        mov     x5, #0
.Lloop:
.Lswap: caspal  x2, x3, x4, x5, [x0]
        mov     x2, #0
        mov     x3, #0
        again

/* kernel: exclusive */
/* An atomic increment without LSE. */
/* expect: store -> load  dk=1  n=999  d=4 */
        loop
.Lload: ldxr    x1, [x0]
        add     x1, x1, #1
.Lstore: stxr    w2, x1, [x0]
        cbnz    w2, .Lloop
        again

/* kernel: exclusive-fails */
/* A store-exclusive without a reservation stores nothing. */
/* oracle: off, lackey shows a store */
/* expect: set -> load  dk=0  n=1000  d=1 */
/* expect: set -> get  dk=?  n=1000  d=4 */
/* expect: store -> get  dk=0  n=0 */
        loop
.Lset:  str     x1, [x0]
.Lload: ldxr    x2, [x0]
        clrex
.Lstore: stxr    w3, x2, [x0]
.Lget:  ldr     x4, [x0]
        again

/* kernel: exclusive-narrow */
/* An atomic increment of a byte that acquires and releases. */
/* expect: store -> load  dk=1  n=999  d=4 */
        loop
.Lload: ldaxrb  w1, [x0]
        add     w1, w1, #1
.Lstore: stlxrb  w2, w1, [x0]
        cbnz    w2, .Lloop
        again

/* kernel: exclusive-pair */
/* A pair is loaded and stored at once. */
/* expect: store -> load  dk=1  n=999  d=4 */
        loop
.Lload: ldaxp   x1, x3, [x0]
        add     x1, x1, #1
.Lstore: stlxp   w2, x1, x3, [x0]
        cbnz    w2, .Lloop
        again

/* kernel: lse-add */
/* An atomic addition reads twice for VEX: a load, and that of the
   compare-and-swap which then writes. */
/* expect: add -> add  dk=1  n=1998  d=3 */
        loop
.Ladd:  ldaddal x1, x2, [x0]
        again

/* kernel: lse-narrow */
/* An atomic maximum of a half word. */
/* expect: max -> max  dk=1  n=1998  d=3 */
        loop
.Lmax:  ldumaxh w1, w2, [x0]
        again

/* kernel: lse-store-add */
/* An atomic addition whose old value nobody wants. */
/* expect: add -> add  dk=1  n=1998  d=3 */
        loop
.Ladd:  stadd   x1, [x0]
        again

/* kernel: lse-swap */
/* An atomic exchange. */
/* expect: swap -> swap  dk=1  n=1998  d=3 */
        loop
.Lswap: swpal   x1, x2, [x0]
        again
