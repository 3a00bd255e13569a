/* As cycles.s, for AArch64. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .arch   armv8.1-a
        .globl  f
        .type   f, %function
f:
/* after each kernel */
        .text
        ret
        .size   f, . - f

/* kernel: atomic */
/* An atomic addition waits for the one before. */
/* cycles: 8 without memory, 10 with it */
/* link: sum memory 9 1 */
/* link: sum register 1 0 */
.Lsum:  ldadd x3, x4, [x0]
        sub x2, x2, #1
        cbnz x2, .Lsum

/* kernel: bit */
/* A round ends with the test of a bit. */
/* cycles: 1 without memory, 10 with it */
/* link: get memory 9 1 */
/* link: sum register 1 0 */
/* link: put data 0 0 */
.Lget:  ldr w4, [x0]
.Lsum:  add w4, w4, #1
.Lput:  str w4, [x0]
        add x2, x2, #1
        tbz x2, #10, .Lget

/* kernel: call */
/* A call that is not known overwrites x1, and keeps x19 and the lower half of v8. */
/* cycles: 3 without memory, 3 with it */
/* link: kept register 3 1 */
.Lround: mul    x1, x1, x1
        mul     x1, x1, x1
.Lkept: fadd    d8, d8, d0
        blr     x20
        subs    x19, x19, #1
        b.ne    .Lround

/* kernel: carry */
/* An addition with carry waits for the flags of the one before. */
/* cycles: 2 without memory, 2 with it */
/* link: carry register 2 1 */
.Lagain: ldr x4, [x1], #8
.Lcarry: adcs x3, x4, x5
        sub x2, x2, #1
        cbnz x2, .Lagain

/* kernel: chase */
/* A load gives the address of the next one. */
/* cycles: 4 without memory, 4 with it */
/* link: next address 4 1 */
.Lnext: ldr x1, [x1, #16]
        cbnz x1, .Lnext

/* kernel: copy */
/* Rounds that share nothing but their counter. */
/* cycles: 1 without memory, 1 with it */
/* link: count register 1 1 */
.Lagain: ldr d0, [x1, x3, lsl #3]
        fadd d0, d0, d1
        str d0, [x0, x3, lsl #3]
.Lcount: add x3, x3, #1
        cmp x2, x3
        b.ne .Lagain

/* kernel: crossed-pair */
/* Each register of a pair is stored where the other one is loaded: two rounds. */
/* cycles: 1 without memory, 15 with it */
/* link: get memory 11 1 */
/* link: get memory 11 1 */
/* link: product register 7 0 */
/* link: put data 0 0 */
/* link: put data 0 0 */
/* link: sum register 1 0 */
.Lget:  ldp x3, x4, [x0]
.Lsum:  add x3, x3, #1
.Lproduct: mul x4, x4, x5
.Lput:  stp x4, x3, [x0]
        sub x2, x2, #1
        cbnz x2, .Lget

/* kernel: dot */
/* A sum of products: the operand that is added to comes late. */
/* cycles: 2 without memory, 2 with it */
/* link: sum register 2 1 */
.Lagain: ldr d1, [x1], #8
        ldr d2, [x2], #8
.Lsum:  fmadd d0, d1, d2, d0
        sub x3, x3, #1
        cbnz x3, .Lagain

/* kernel: field */
/* A sum in a field of a structure. */
/* cycles: 1 without memory, 10 with it */
/* link: get memory 9 1 */
/* link: sum register 1 0 */
/* link: put data 0 0 */
.Lget:  ldr x4, [x0, #8]
        ldr x5, [x1], #8
.Lsum:  add x4, x4, x5
.Lput:  str x4, [x0, #8]
        sub x2, x2, #1
        cbnz x2, .Lget

/* kernel: flags */
/* A selection waits for the flags of its comparison. */
/* cycles: 3 without memory, 3 with it */
/* link: compare register 1 1 */
/* link: select register 2 0 */
.Lagain: ldr x4, [x1], #8
.Lcompare: cmp x3, x4
.Lselect: csel x3, x4, x5, gt
        sub x2, x2, #1
        cbnz x2, .Lagain

/* kernel: half-of-pair */
/* A load of the second half of a pair waits for its register alone. */
/* cycles: 1 without memory, 16 with it */
/* link: get memory 9 1 */
/* link: product register 7 0 */
/* link: put data 0 0 */
.Lget:  ldr x4, [x0, #8]
        add x3, x2, #1
.Lproduct: mul x4, x4, x5
.Lput:  stp x3, x4, [x0]
        sub x2, x2, #1
        cbnz x2, .Lget

/* kernel: horner */
/* A polynomial: the operand that is multiplied comes first. */
/* cycles: 4 without memory, 4 with it */
/* link: sum register 4 1 */
.Lagain: ldr d1, [x1], #8
.Lsum:  fmadd d0, d0, d2, d1
        sub x3, x3, #1
        cbnz x3, .Lagain

/* kernel: lane */
/* A load into a lane keeps the others, but the address does not wait for them. */
/* cycles: 2 without memory, 2 with it */
/* link: get register 2 1 */
.Lget:  ld1 {v0.s}[1], [x1], #4
        cmp x1, x5
        b.ne .Lget

/* kernel: moving-pair */
/* A pair that moves meets the pair of the round before, part by part. */
/* cycles: 1 without memory, 18 with it */
/* link: get memory 11 1 */
/* link: product register 7 0 */
/* link: put data 0 0 */
.Lget:  ldp x3, x4, [x0]
        add x3, x3, #1
.Lproduct: mul x4, x4, x5
.Lput:  stp x3, x4, [x0, #16]!
        sub x2, x2, #1
        cbnz x2, .Lget

/* kernel: pair */
/* The second register of a pair is stored and loaded apart from the first. */
/* cycles: 1 without memory, 18 with it */
/* link: get memory 11 1 */
/* link: product register 7 0 */
/* link: put data 0 0 */
.Lget:  ldp x3, x4, [x0]
        add x3, x3, #1
.Lproduct: mul x4, x4, x5
.Lput:  stp x3, x4, [x0]
        sub x2, x2, #1
        cbnz x2, .Lget

/* kernel: recurrence */
/* x[i] = x[i - 1] * 0.5 + x[i]: the load waits for the store of the round before. */
/* cycles: 1 without memory, 18 with it */
/* link: before memory 10 1 */
/* link: product register 5 0 */
/* link: sum register 3 0 */
/* link: put data 0 0 */
.Lbefore: ldur d1, [x2, #-8]
.Lproduct: fmul d1, d1, d2
        ldr d0, [x2]
.Lsum:  fadd d0, d0, d1
.Lput:  str d0, [x2], #8
        cmp x2, x0
        b.ne .Lbefore

/* kernel: saturation */
/* The flag of saturation is set and never waited for. */
/* cycles: 1 without memory, 1 with it */
.Lagain: sqadd v0.4s, v1.4s, v2.4s
        sqadd v3.4s, v4.4s, v5.4s
.Lcount: sub x2, x2, #1
        cbnz x2, .Lagain

/* kernel: stack */
/* What is pushed is popped in the same round. */
/* cycles: 2 without memory, 10 with it */
/* link: push data 0 1 */
/* link: pop memory 9 0 */
/* link: sum register 1 0 */
.Lpush: str x3, [sp, #-16]!
.Lpop:  ldr x3, [sp], #16
.Lsum:  add x3, x3, #1
        sub x2, x2, #1
        cbnz x2, .Lpush

/* kernel: vector */
/* A sum of vectors in memory. */
/* cycles: 1 without memory, 13 with it */
/* link: get memory 10 1 */
/* link: sum register 3 0 */
/* link: put data 0 0 */
.Lget:  ldr q0, [x0]
        ldr q1, [x1], #16
.Lsum:  fadd v0.4s, v0.4s, v1.4s
.Lput:  str q0, [x0]
        sub x2, x2, #1
        cbnz x2, .Lget

/* kernel: vector-dot */
/* A sum of products of vectors, which is its own operand. */
/* cycles: 2 without memory, 2 with it */
/* link: sum register 2 1 */
.Lagain: ldr q1, [x1], #16
        ldr q2, [x2], #16
.Lsum:  fmla v0.2d, v1.2d, v2.2d
        sub x3, x3, #1
        cbnz x3, .Lagain

/* kernel: writeback */
/* A register that an access moves waits for itself alone, not for the load. */
/* cycles: 1 without memory, 1 with it */
/* link: get register 1 1 */
.Lget:  ldr x3, [x1, #8]!
        add x3, x3, x4
        subs x0, x1, x5
        b.ne .Lget

/* kernel: zero */
/* What is loaded into the zero register, or stored from it, is no value of a chain. */
/* cycles: 1 without memory, 1 with it */
.Lagain: ldr xzr, [x0]
        str xzr, [x0]
.Lcount: sub x2, x2, #1
        cbnz x2, .Lagain
