/* Loads and stores of one register. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: and-branches */
/* Two branches to one place, as of `a && b`: the second condition is executed only where
   the first branch is not taken. */
/* expect: store -> load  dk=-  n=1000  d=2..5 */
        mov     x9, #1000
        adrp    x0, .Lplace
        add     x0, x0, :lo12:.Lplace
.Lloop:
.Lstore: str     w9, [x0]
        tbnz    w9, #0, .Lload
        cmp     w9, #1000
        b.eq    .Lload
        nop
.Lload: ldr     w2, [x0]
        again
        bss     .Lplace, 64

/* kernel: call-ret */
/* A called function saves its frame and its return address. */
/* expect: save -> restore  dk=0  n=2000  d=1 */
        loop
        bl      .Lfunction
        again
.Lfunction:
        nop
.Lsave: stp     x29, x30, [sp, #-16]!
.Lrestore: ldp     x29, x30, [sp], #16
        ret

/* kernel: distance-2 */
/* A ring of two words: what was stored two iterations ago. */
/* expect: set -> get  dk=2  n=998  d=9 */
        start
        mov     x3, #0
.Lloop:
.Lget:  ldr     x2, [x0, x3]
.Lset:  str     x2, [x0, x3]
        eor     x3, x3, #8
        again

/* kernel: line-crossing */
/* Accesses that cross a cache line. */
/* expect: set -> get  dk=0  n=1000  d=1  same=1000 crossing=1000 */
        loop    128
.Lset:  stur    x1, [x0, #60]
.Lget:  ldur    x2, [x0, #60]
        again

/* kernel: literal */
/* A literal lies in the code, which nobody stored. */
/* expect: nothing */
        loop
.Lget:  ldr     x1, .Lvalue
        again
        .balign 8
.Lvalue: .quad  1

/* kernel: load-store */
/* A load reads what the iteration before stored. */
/* expect: set -> get  dk=1  n=999  d=3 */
        loop
.Lget:  ldr     x2, [x0]
.Lset:  str     x2, [x0]
        again

/* kernel: no-dependency */
/* The load and the store lie side by side. */
/* expect: nothing */
        loop
.Lset:  str     x1, [x0]
.Lget:  ldr     x2, [x0, #8]
        again

/* kernel: page-crossing */
/* Accesses that cross a page of any size. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        start   131072
        add     x0, x0, #16, lsl #12
        and     x0, x0, #~0xffff
.Lloop:
.Lset:  stur    x1, [x0, #-4]
.Lget:  ldur    x2, [x0, #-4]
        again

/* kernel: partial */
/* A load covers two stores, the later of which wrote a byte of it. */
/* expect: word -> get  dk=0  n=1000  d=2 */
/* expect: byte -> get  dk=0  n=1000  d=1 */
        loop
.Lword: str     x1, [x0]
.Lbyte: strb    w1, [x0, #3]
.Lget:  ldr     x2, [x0]
        again

/* kernel: pointer-in-memory */
/* The address itself is loaded. */
/* expect: set -> get  dk=0  n=1000  d=2 */
/* expect: keep -> load  dk=0  n=1000  d=2 */
        loop
.Lkeep: str     x0, [x0, #16]
.Lset:  str     x1, [x0]
.Lload: ldr     x3, [x0, #16]
.Lget:  ldr     x2, [x3]
        again

/* kernel: post-index */
/* The address changes after the store. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        loop    8192
.Lset:  str     x1, [x0], #8
.Lget:  ldr     x2, [x0, #-8]
        again

/* kernel: pre-index */
/* The address changes before the store. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        loop    8192
.Lset:  str     x1, [x0, #8]!
.Lget:  ldr     x2, [x0]
        again

/* kernel: prefetch */
/* A prefetch is no load. */
/* expect: set -> get  dk=0  n=1000  d=2 */
        loop
.Lset:  str     x1, [x0]
        prfm    pldl1keep, [x0]
.Lget:  ldr     x2, [x0]
        again

/* kernel: register-offset */
/* The address is a base and a scaled index. */
/* expect: set -> get  dk=?  n=1000  d=1 */
        start
        mov     x3, #3
.Lloop:
.Lset:  str     x1, [x0, x3, lsl #3]
.Lget:  ldr     x2, [x0, #24]
        again

/* kernel: signed-index */
/* A negative index of 32 bits is extended. */
/* expect: set -> get  dk=?  n=1000  d=1 */
        start
        mov     w3, #-4
        add     x4, x0, #32
.Lloop:
.Lset:  str     w1, [x4, w3, sxtw #2]
.Lget:  ldr     w2, [x0, #16]
        again

/* kernel: signed-loads */
/* Loads that extend a sign read parts of what was stored. */
/* expect: set -> byte  dk=0  n=1000  d=1  contained=1000 */
/* expect: set -> half  dk=0  n=1000  d=2  contained=1000 */
/* expect: set -> word  dk=0  n=1000  d=3  contained=1000 */
        loop
.Lset:  str     x1, [x0]
.Lbyte: ldrsb   x2, [x0]
.Lhalf: ldrsh   w2, [x0, #2]
.Lword: ldrsw   x2, [x0, #4]
        again

/* kernel: store-load */
/* A load reads what the store before it wrote. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        loop
.Lset:  str     x1, [x0]
.Lget:  ldr     x2, [x0]
        again

/* kernel: straddle */
/* A load that straddles two stores depends on both. */
/* expect: low -> get  dk=0  n=1000  d=2 */
/* expect: high -> get  dk=0  n=1000  d=1 */
        loop
.Llow:  str     w1, [x0]
.Lhigh: str     w1, [x0, #4]
.Lget:  ldr     x2, [x0]
        again

/* kernel: tagged-pointer */
/* The processor ignores the upper byte of an address. */
/* oracle: off, lackey shows the tag */
/* expect: set -> get  dk=?  n=1000  d=1 */
/* expect: pair -> two  dk=?  n=2000  d=1 */
        start
        movz    x10, #0x5500, lsl #48
        orr     x10, x10, x0
.Lloop:
.Lset:  str     x1, [x10]
.Lget:  ldr     x2, [x0]
.Lpair: stp     q1, q2, [x0, #32]
.Ltwo:  ldp     q3, q4, [x10, #32]
        again

/* kernel: unaligned */
/* An address that is a multiple of nothing. */
/* expect: set -> get  dk=0  n=1000  d=1  same=1000 */
        loop
.Lset:  stur    x1, [x0, #3]
.Lget:  ldur    x2, [x0, #3]
        again

/* kernel: widths */
/* Each width is stored and loaded. */
/* expect: byte -> byte2  dk=0  n=1000  d=1 */
/* expect: half -> half2  dk=0  n=1000  d=1 */
/* expect: word -> word2  dk=0  n=1000  d=1 */
/* expect: quad -> quad2  dk=0  n=1000  d=1 */
        loop
.Lbyte: strb    w1, [x0]
.Lbyte2: ldrb    w2, [x0]
.Lhalf: strh    w1, [x0, #2]
.Lhalf2: ldrh    w2, [x0, #2]
.Lword: str     w1, [x0, #4]
.Lword2: ldr     w2, [x0, #4]
.Lquad: str     q1, [x0, #16]
.Lquad2: ldr     q2, [x0, #16]
        again

/* kernel: load-zero */
/* A load into the zero register is a load, although VEX drops it. */
/* oracle: off, what VEX drops is not in the trace */
/* expect: set -> quad  dk=0  n=1000  d=1 */
/* expect: set -> word  dk=0  n=1000  d=2 */
        loop
.Lset:  str     x1, [x0]
.Lquad: ldr     xzr, [x0]
.Lword: ldr     wzr, [x0, #4]
        again

/* kernel: load-zero-forms */
/* Every form of a load may name the zero register. */
/* oracle: off, what VEX drops is not in the trace */
/* expect: set -> index  dk=?  n=1000  d=1 */
/* expect: set -> sign  dk=0  n=1000  d=2 */
/* expect: set -> near  dk=0  n=1000  d=3 */
/* expect: set -> order  dk=0  n=1000  d=4 */
/* expect: set -> wide  dk=?  n=1000  d=5 */
/* expect: set -> post  dk=0  n=1000  d=7 */
/* expect: set -> pre  dk=0  n=1000  d=8 */
        start
        mov     x3, #1
        mov     w4, #-1
        add     x5, x0, #8
.Lloop:
.Lset:  str     x1, [x0]
.Lindex: ldrb    wzr, [x0, x3]
.Lsign: ldrsh   wzr, [x0, #2]
.Lnear: ldur    wzr, [x0, #1]
.Lorder: ldar    xzr, [x0]
.Lwide: ldr     wzr, [x5, w4, sxtw #2]
        mov     x6, x0
.Lpost: ldr     xzr, [x6], #16
.Lpre:  ldr     wzr, [x6, #-12]!
        again

/* kernel: load-zero-pair */
/* One register of a pair is the zero register. */
/* oracle: off, what VEX drops is not in the trace */
/* expect: set -> first  dk=0  n=2000  d=1 */
/* expect: set -> second  dk=0  n=2000  d=2 */
        loop
.Lset:  stp     x1, x2, [x0]
.Lfirst: ldp     xzr, x3, [x0]
.Lsecond: ldp     x3, xzr, [x0]
        again

/* kernel: store-zero */
/* The zero register is stored like any other. */
/* expect: set -> get  dk=0  n=1000  d=1 */
        loop
.Lset:  str     xzr, [x0]
.Lget:  ldr     x2, [x0]
        again
