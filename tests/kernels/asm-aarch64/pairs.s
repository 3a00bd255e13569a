/* Pairs, vectors and structures. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: pair */
/* Each register of a pair is an access. */
/* expect: set -> get  dk=0  n=2000  d=1  same=2000 */
        loop
.Lset:  stp     x1, x2, [x0]
.Lget:  ldp     x3, x4, [x0]
        again

/* kernel: pair-crossed */
/* A pair is loaded from the second half of one and the first of the next. */
/* expect: one -> get  dk=0  n=1000  d=2 */
/* expect: two -> get  dk=0  n=1000  d=1 */
        loop
.Lone:  stp     x1, x2, [x0]
.Ltwo:  stp     x1, x2, [x0, #16]
.Lget:  ldp     x3, x4, [x0, #8]
        again

/* kernel: pair-halves */
/* Single loads read the halves of a stored pair. */
/* expect: set -> low  dk=0  n=1000  d=1 */
/* expect: set -> high  dk=0  n=1000  d=2 */
        loop
.Lset:  stp     x1, x2, [x0]
.Llow:  ldr     x3, [x0]
.Lhigh: ldr     x4, [x0, #8]
        again

/* kernel: pair-joined */
/* A load that covers both stores of a pair depends on the instruction once. */
/* expect: set -> get  dk=0  n=1000  d=1  several=1000 */
        loop
.Lset:  stp     w1, w2, [x0]
.Lget:  ldr     x3, [x0]
        again

/* kernel: pair-signed */
/* A pair of words is loaded with their signs. */
/* expect: set -> get  dk=0  n=2000  d=1 */
        loop
.Lset:  stp     w1, w2, [x0]
.Lget:  ldpsw   x3, x4, [x0]
        again

/* kernel: pair-vectors */
/* A pair of vectors is two accesses of 16 bytes. */
/* expect: set -> get  dk=0  n=2000  d=1  same=2000 */
        loop
.Lset:  stp     q1, q2, [x0]
.Lget:  ldp     q3, q4, [x0]
        again

/* kernel: pre-index-pair */
/* A frame is pushed and popped. */
/* expect: set -> get  dk=0  n=2000  d=1 */
        loop
.Lset:  stp     x1, x2, [sp, #-16]!
.Lget:  ldp     x3, x4, [sp], #16
        again

/* kernel: scalar-vectors */
/* The lower parts of vector registers are stored and loaded; one comes from a general
   register. */
/* expect: byte -> byte2  dk=0  n=1000  d=1 */
/* expect: word -> word2  dk=0  n=1000  d=1 */
/* expect: quad -> quad2  dk=0  n=1000  d=1 */
/* expect: moved -> moved2  dk=0  n=1000  d=1 */
        loop
.Lbyte: str     b1, [x0]
.Lbyte2: ldr     b2, [x0]
.Lword: str     s1, [x0, #4]
.Lword2: ldr     s2, [x0, #4]
.Lquad: str     d1, [x0, #8]
.Lquad2: ldr     d2, [x0, #8]
        fmov    s3, w9
.Lmoved: str     s3, [x0, #16]
.Lmoved2: ldr     w4, [x0, #16]
        again

/* kernel: structure-lane */
/* One element of a vector is stored, and loaded into all. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        loop
.Lset:  st1     {v1.s}[2], [x0]
.Lget:  ld1r    {v2.4s}, [x0]
        again

/* kernel: structure-one */
/* Structures of one element. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        loop
.Lset:  st1     {v1.16b}, [x0]
.Lget:  ld1     {v2.16b}, [x0]
        again

/* kernel: structure-two */
/* Structures of two elements are two accesses of 16 bytes. */
/* expect: set -> get  dk=0  n=2000  d=1 */
        loop
.Lset:  st2     {v1.16b, v2.16b}, [x0]
.Lget:  ld2     {v3.16b, v4.16b}, [x0]
        again
