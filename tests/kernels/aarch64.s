/* Loops for AArch64 that are analysed and not run (form: tests/staticdeps/aarch64.sh). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  again
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        ret
        .endm
        .globl  _start
_start:
.Lloop:

/* kernel: cleared-line */
/* Dc zva writes zeros to the line that an address lies in. */
/* expect: zva    -> byte   dk=0 */
/* expect: zva    -> zero   dk=0 */
/* expect: by     -> known  dk=0 */
        and     x2, x0, #-64
.Lzva:  dc      zva, x0
.Lbyte: ldrb    w1, [x0]
.Lzero: ldr     x3, [x2, #56]
        ldr     x4, [x2, #64]
.Lby:   str     x5, [x6]
.Lknown: ldr    x7, [x6, x3]
        add     x0, x0, #128
        add     x6, x6, x8
        again

/* kernel: conditional-select */
/* A conditional select between two equal pointers decides nothing; between
   others it is decided by flags that are known. */
/* expect: store -> same    dk=0 */
/* expect: store -> chosen  dk=0 */
.Lstore: str    x1, [x0]
        mov     x3, x0
        cmp     x8, #0
        csel    x4, x3, x0, eq
.Lsame: ldr     x5, [x4]
        mov     x6, #3
        cmp     x6, #4
        csel    x7, x0, x1, lt
.Lchosen: ldr   x7, [x7]
        again

/* kernel: exclusive-pair */
/* 16 bytes at once: the exclusive pair. */
/* expect: store -> load   dk=1 */
/* expect: store -> plain  dk=0 */
.Lload: ldxp    x1, x2, [x0]
        adds    x1, x1, #1
        adc     x2, x2, xzr
.Lstore: stxp   w3, x1, x2, [x0]
.Lplain: ldr    x4, [x0, #8]
        cbnz    w3, .Lloop
        ret

/* kernel: exclusive-status */
/* A store-exclusive is taken to succeed: its status, from which an address is made, is
   0. */
/* expect: store -> load  dk=0 */
        ldxr    x1, [x0]
.Lstore: stxr   w2, x3, [x0]
.Lload: ldr     x4, [x0, w2, uxtw]
        add     x0, x0, x11
        again

/* kernel: literal-pool */
/* A pool of constants between two functions is no code, and does not derail
   the code behind it.  What a literal load reads was written by nobody. */
/* expect: store -> load  dk=0 */
/* expect: store2 -> load2  dk=1 */
        ldr     x1, =0x123456789abcdef0
.Lstore: str    x1, [x0]
.Lload: ldr     x2, [x0]
        again
        .ltorg
        .type   next, @function
next:
.Lagain:
.Lload2: ldr    x2, [x0], #8
.Lstore2: str   x2, [x0]
        cbnz    x2, .Lagain
        ret

/* kernel: load-store-exclusive */
/* The loop of an atomic increment without LSE: the store-conditional writes
   what the next load-exclusive reads. */
/* expect: store -> load  dk=1 */
.Lload: ldaxr   w1, [x0]
        add     w1, w1, #1
.Lstore: stlxr  w2, w1, [x0]
        cbnz    w2, .Lloop
        ret

/* kernel: lse-add */
/* Each atomic operation of LSE reads and writes. */
/* expect: add   -> clear  dk=0 */
/* expect: clear -> eor    dk=0 */
/* expect: eor   -> set    dk=0 */
/* expect: set   -> max    dk=0 */
/* expect: max   -> swap   dk=0 */
/* expect: swap  -> none   dk=0 */
/* expect: none  -> add    dk=1 */
        .arch   armv8-a+lse
.Ladd:  ldaddal x1, x2, [x0]
.Lclear: ldclr  x1, x2, [x0]
.Leor:  ldeora  x1, x2, [x0]
.Lset:  ldsetl  x1, x2, [x0]
.Lmax:  ldumax  x1, x2, [x0]
.Lswap: swpal   x1, x2, [x0]
.Lnone: stadd   x1, [x0]
        again

/* kernel: lse-cas */
/* A compare-and-swap stores only if it finds what it expects: the first does,
   since the value was loaded just before; the second expects something else. */
/* expect: works -> fails  dk=0 */
/* expect: works -> value  dk=1 */
/* expect: works -> works  dk=1 */
        .arch   armv8-a+lse
.Lvalue: ldr    x1, [x0]
        add     x2, x1, #1
.Lworks: casal  x1, x2, [x0]
.Lfails: cas    x5, x6, [x0]
        again

/* kernel: lse-narrow */
/* Atomics of 8 and 16 bits touch no more than that. */
/* expect: byte -> byte  dk=1 */
/* expect: half -> half  dk=1 */
/* expect: byte -> word  dk=0 */
/* expect: half -> word  dk=0 */
        .arch   armv8-a+lse
        add     x3, x0, #2
.Lbyte: ldaddb  w1, w2, [x0]
.Lhalf: swph    w1, w2, [x3]
.Lword: ldr     w4, [x0]
        again

/* kernel: newer-loads */
/* Loads and stores of later versions of the architecture, that are like older
   ones but for their order or their privileges. */
/* expect: store    -> ldapr    dk=0 */
/* expect: stlur    -> ldapur   dk=0 */
/* expect: stlurb   -> ldapursb dk=0 */
/* expect: sttr     -> ldtr     dk=0 */
/* expect: stllr    -> ldlar    dk=0 */
/* expect: through  -> kept     dk=0 */
        .arch   armv8.4-a+lor
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
        again

/* kernel: no-dependency */
/* Two arrays that nothing says to overlap, and a store that nobody reads. */
/* expect: nothing */
        ldr     q0, [x0], #16
        str     q0, [x1], #16
        ldp     x2, x3, [x4], #-16
        stp     x2, x3, [x5, #-16]!
        again

/* kernel: page-address */
/* Two ADRPs of one variable at different places in the code give one address;
   that of another variable gives another. */
/* expect: store -> load   dk=0 */
/* expect: store -> plain  dk=0 */
        adrp    x0, .Lvariable
        add     x0, x0, :lo12:.Lvariable
.Lstore: str    x1, [x0]
        adrp    x2, .Lvariable
.Lload: ldr     x3, [x2, :lo12:.Lvariable]
        adr     x4, .Lloop
        sub     x4, x4, x5
        adrp    x6, .Lother
        ldr     x6, [x6, :lo12:.Lother]
        add     x4, x4, x5
        adr     x7, .Lloop
        sub     x7, x4, x7
.Lplain: ldr    x7, [x0, x7]
        again

        .bss
        .balign 8192
.Lvariable: .skip 8
.Lother: .skip  8

/* kernel: pairs */
/* A pair is two registers side by side: each half can be read alone, and a
   load of the pair reads what two stores wrote. */
/* expect: pair -> low    dk=0 */
/* expect: pair -> high   dk=0 */
/* expect: one  -> both   dk=0 */
/* expect: two  -> both   dk=0 */
/* expect: pair -> words  dk=0 */
/* expect: once -> again  dk=0 */
/* expect: wide -> vectors  dk=0 */
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
        again

/* kernel: post-index */
/* A post-indexed load moves the pointer past what it reads: the store through
   it is read in the next iteration. */
/* expect: store -> load  dk=1 */
.Lload: ldr     x1, [x0], #8
        add     x1, x1, #1
.Lstore: str    x1, [x0]
        subs    x2, x2, #1
        b.ne    .Lloop
        ret

/* kernel: pre-index */
/* A pre-indexed store writes where the pointer goes to; the load reads what
   the iteration before wrote there, and the one in the body what this did. */
/* expect: store -> before  dk=1 */
/* expect: store -> after   dk=0 */
.Lbefore: ldr   x1, [x0]
.Lstore: str    x1, [x0, #-8]!
.Lafter: ldr    x3, [x0]
        cbnz    x3, .Lloop
        ret

/* kernel: push-pop */
/* What a function's ends do: a pair pushed with a pre-index is popped with a
   post-index, and the stack pointer is where it was. */
/* expect: push -> pop  dk=0 */
.Lpush: stp     x29, x30, [sp, #-16]!
        mov     x29, sp
        add     x1, x1, #1
.Lpop:  ldp     x29, x30, [sp], #16
        tbz     x1, #20, .Lloop
        ret

/* kernel: scaled-index */
/* Addresses of an array that agree through shifts and extensions of the
   index; the store runs three elements ahead. */
/* expect: store -> load    dk=3 */
/* expect: store -> extend  dk=3 */
        mov     w2, #0
.Lround: and    x2, x2, #0x7fffffff
.Lload: ldr     w1, [x0, x2, lsl #2]
.Lextend: ldr   w3, [x0, w2, sxtw #2]
        add     x4, x0, x2, lsl #2
.Lstore: str    w1, [x4, #12]
        add     w2, w2, #1
        cmp     w2, w5
        b.lt    .Lround
        ret

/* kernel: signed-pointers */
/* A pointer that is signed and checked is the pointer that it was. */
/* expect: write -> signed   dk=0 */
/* expect: write -> checked  dk=0 */
/* expect: link  -> follow   dk=0 */
/* expect: next  -> rebased  dk=0 */
/* expect: write -> loaded   dk=0 */
/* expect: next  -> behind   dk=0 */
        .arch   armv8.3-a
.Lwrite: str    x1, [x0]
        mov     x3, x0
        pacda   x3, x7
.Lsigned: ldr   x4, [x3]
        autda   x3, x7
.Lchecked: ldr  x4, [x3]
        pacdza  x3
.Llink: str     x3, [x8, #-16]
.Lfollow: ldraa x4, [x8, #-16]
.Lloaded: ldr   x5, [x4]
.Lnext: str     x3, [x8, #24]
        mov     x10, x8
.Lrebased: ldrab x4, [x10, #24]!
.Lbehind: ldr   x5, [x10]
        pacga   x6, x3, x7
        ldr     x4, [x6]
        add     x0, x0, x11
        add     x8, x8, x12
        sub     x9, x9, #1
        cbnz    x9, .Lloop
        retaa

/* kernel: structures */
/* Stores of several vector registers at a pointer that moves on. */
/* expect: store -> load    dk=1 */
/* expect: store -> second  dk=0 */
/* expect: store -> moving  dk=0 */
.Lload: ld1     {v2.16b}, [x0]
.Lstore: st1    {v0.16b, v1.16b}, [x0]
.Lsecond: ldr   x3, [x0, #24]
.Lmoving: ld1   {v3.8b}, [x0], #8
        st1     {v3.8b}, [x4], #8
        add     x0, x0, #8
        again

/* kernel: sve */
/* Vectors whose length is unknown: their accesses are at unknown addresses, but
   they leave the general registers alone, and all else is found. */
/* expect: write -> read    dk=0 */
/* expect: spill -> fill    dk=0 */
/* expect: write -> again   dk=0 */
        .arch   armv8.2-a+sve
        ptrue   p0.b
        whilelo p1.b, x1, x2
.Lwrite: str    x1, [x0]
        ld1b    {z0.b}, p0/z, [x0]
        add     z0.b, z0.b, z1.b
        st1b    {z0.b}, p0, [x0, #1, mul vl]
.Lread: ldr     x3, [x0]
        fmov    x4, d0
        ldr     x5, [x4]
        mov     x6, #0
        incb    x6
        ldr     x5, [x0, x6]
        fmov    d6, x0
        ld2w    {z4.s, z5.s}, p0/z, [x7]
.Lspill: str    d6, [x8]
.Lfill: ldr     x10, [x8]
.Lagain: ldr    x11, [x10]
        add     x0, x0, x12
        add     x8, x8, x13
        again

/* kernel: tags */
/* Tags of pointers and of memory are not seen; what clears or stores data beside
   them is. */
/* expect: write  -> tagged  dk=0 */
/* expect: added  -> there   dk=0 */
/* expect: stzg   -> zeros   dk=0 */
/* expect: stzg   -> zeros2  dk=0 */
/* expect: by     -> known   dk=0 */
/* expect: stz2g  -> upper   dk=0 */
/* expect: beyond -> beside  dk=0 */
/* expect: stgp   -> first   dk=0 */
/* expect: stgp   -> second  dk=0 */
/* expect: moved  -> base    dk=0 */
        .arch   armv8.5-a+memtag
.Lwrite: str    x1, [x0]
        irg     x3, x0
        stg     x3, [x3]
        ldg     x3, [x3]
.Ltagged: ldr   x4, [x3]
.Ladded: str    x1, [x0, #48]
        addg    x5, x0, #64, #3
        subg    x5, x5, #16, #1
.Lthere: ldr    x4, [x5]
.Lbeyond: str   x1, [x20, #16]
.Lstzg: stzg    x3, [x20]
.Lzeros: ldr    x6, [x20, #8]
.Lbeside: ldr   x4, [x20, #16]
.Lzeros2: ldrb  w4, [x20]
.Lby:   str     x1, [x21]
.Lknown: ldr    x4, [x21, x6]
.Lstz2g: stz2g  x3, [x22, #-32]
.Lupper: ldr    x4, [x22, #-8]
.Lstgp: stgp    x1, x0, [x23, #16]
.Lfirst: ldr    x4, [x23, #16]
.Lsecond: ldr   x4, [x23, #24]
        mov     x7, x24
.Lmoved: str    x1, [x24, #80]
        stg     x7, [x7], #48
        st2g    x7, [x7, #32]!
.Lbase: ldr     x4, [x7]
        subp    x8, x7, x24
        ldr     x4, [x24, x8]
        add     x0, x0, x11
        add     x20, x20, x12
        add     x21, x21, x13
        add     x22, x22, x14
        add     x23, x23, x15
        add     x24, x24, x16
        again

/* kernel: vector-moves */
/* A pointer keeps its value on its way through lanes that are rotated, turned
   around, widened, narrowed and put back one by one. */
/* expect: write -> rotated  dk=0 */
/* expect: write -> turned   dk=0 */
/* expect: write -> narrowed dk=0 */
/* expect: write -> lane     dk=0 */
/* expect: write -> short    dk=0 */
.Lwrite: str    x1, [x0]
        fmov    d0, x0
        ext     v1.16b, v0.16b, v0.16b, #3
        ext     v1.16b, v1.16b, v1.16b, #5
        mov     x3, v1.d[1]
.Lrotated: ldr  x4, [x3]
        rev64   v2.16b, v0.16b
        rev32   v2.8h, v2.8h
        rev16   v2.16b, v2.16b
        rev64   v2.4s, v2.4s
        rev64   v2.16b, v2.16b
        rev32   v2.16b, v2.16b
        rev64   v2.4s, v2.4s
        rev64   v2.8h, v2.8h
        rev32   v2.8h, v2.8h
        rev64   v2.4s, v2.4s
        fmov    x3, d2
.Lturned: ldr   x4, [x3]
        ushll   v3.2d, v0.2s, #0
        xtn     v3.2s, v3.2d
        ushll   v3.4s, v3.4h, #0
        xtn     v3.4h, v3.4s
        ushll   v3.8h, v3.8b, #0
        xtn     v3.8b, v3.8h
        fmov    x3, d3
.Lnarrowed: ldr x4, [x3]
        mov     b4, v0.b[7]
        mov     v0.b[7], v4.b[0]
        mov     h4, v0.h[2]
        mov     v0.h[2], v4.h[0]
        fmov    x3, d0
.Llane: ldr     x4, [x3]
        ext     v5.8b, v0.8b, v0.8b, #6
        ext     v5.8b, v5.8b, v5.8b, #2
        fmov    x3, d5
.Lshort: ldr    x4, [x3]
        add     x0, x0, x5
        again

/* kernel: vector-pairs */
/* Pairs of vector registers, and of their parts.  A pointer that is spilled
   through a vector register keeps its value. */
/* expect: pair  -> upper    dk=0 */
/* expect: pair  -> half     dk=0 */
/* expect: spill -> fill     dk=0 */
/* expect: first -> second   dk=0 */
.Lpair: stp     q0, q1, [sp, #-64]
.Lupper: ldr    q2, [sp, #-48]
.Lhalf: ldp     d3, d4, [sp, #-40]
        fmov    d5, x0
.Lspill: str    d5, [sp, #-80]
.Lfirst: str    x1, [x0]
.Lfill: ldr     x3, [sp, #-80]
.Lsecond: ldr   x4, [x3]
        again

/* kernel: zero-loads */
/* A load into the zero register reads memory, in each form; no register changes. */
/* expect: set -> byte      dk=0 */
/* expect: set -> half      dk=0 */
/* expect: set -> word      dk=0 */
/* expect: set -> unscaled  dk=0 */
/* expect: set -> user      dk=0 */
/* expect: set -> pair      dk=0 */
/* expect: set -> once      dk=0 */
/* expect: set -> plain     dk=0 */
/* expect: set -> kept      dk=0 */
/* expect: far -> index     dk=0 */
/* expect: far -> signed    dk=0 */
/* expect: near -> extended dk=0 */
.Lset:  str     x6, [x0]
.Lfar:  str     x6, [x0, x3]
.Lnear: str     x6, [x0, w4, uxtw]
.Lbyte: ldrsb   xzr, [x0]
.Lhalf: ldrsh   wzr, [x0]
.Lword: ldrsw   xzr, [x0]
.Lunscaled: ldursh  xzr, [x0, #1]
.Luser: ldtrsh  wzr, [x0]
.Lpair: ldp     xzr, x5, [x0]
.Lonce: ldnp    xzr, x5, [x0]
.Lindex: ldr     xzr, [x0, x3]
.Lsigned: ldrsb   xzr, [x0, x3]
.Lextended: ldr     wzr, [x0, w4, uxtw]
.Lplain: ldr     xzr, [x0]
.Lkept: ldr     x7, [x0]
        again
