/* Accesses of any width, and at any address. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: alignment-changes */
/* The same loop with a pointer that is a multiple of four, long enough for the
   loop to be hot, and then with three that are not. */
/* expect: int  -> rint   dk=0  n=12000  d=3 */
/* expect: int  -> byte   dk=0  n=12000  d=6 */
/* expect: quad -> rquad  dk=0  n=12000  d=3 */
/* expect: wide -> rwide  dk=0  n=12000  d=3 */
        leaq    .Lbuffer(%rip), %rsi
        movl    $4, %edx
.Lpass:
        times   3000
.Lint:  movl    %ecx, (%rsi)
.Lquad: movq    %rcx, 8(%rsi)
.Lwide: movups  %xmm0, 16(%rsi)
.Lrint: movl    (%rsi), %eax
.Lrquad: movq   8(%rsi), %rax
.Lrwide: movups 16(%rsi), %xmm1
.Lbyte: movb    3(%rsi), %al
        decl    %ecx
        jnz     .Lloop
        incq    %rsi
        decl    %edx
        jnz     .Lpass
        exit
        bss     .Lbuffer, 64

/* kernel: alignment-rules */
/* Addresses that are no multiples of four, though all registers that they come
   from are where each loop begins. */
/* expect: plus   -> pluses   dk=0  n=2000  d=1 */
/* expect: or     -> ors      dk=0  n=2000  d=1 */
/* expect: part   -> parts    dk=0  n=2000  d=1 */
/* expect: shift  -> shifts   dk=0  n=2000  d=1 */
/* expect: choice -> choices  dk=0  n=2000  d=1 */
/* expect: other  -> others   dk=0  n=2000  d=1 */
/* expect: flag   -> flags    dk=0  n=2000  d=1 */
        leaq    .Lbuffer(%rip), %rsi
        xorl    %r8d, %r8d
        movl    $2000, %ecx
.Lone:  leaq    1(%rsi), %rax
.Lplus: movl    %ecx, (%rax)
.Lpluses: movb  3(%rax), %dl
        decl    %ecx
        jnz     .Lone

        movl    $2000, %ecx
.Ltwo:  movq    %rsi, %rax
        orq     $2, %rax
.Lor:   movl    %ecx, (%rax)
.Lors:  movb    3(%rax), %dl
        decl    %ecx
        jnz     .Ltwo

        movl    $2000, %ecx
.Lthree: movb   $3, %sil                # the buffer is a multiple of 256
.Lpart: movl    %ecx, (%rsi)
.Lparts: movb   3(%rsi), %dl
        movb    $0, %sil
        decl    %ecx
        jnz     .Lthree

        movl    $2000, %ecx
        leaq    4(%rsi,%rsi), %rdi
.Lfour: movq    %rdi, %rax
        shrq    $1, %rax                # 2 too many, by a 64-bit address
.Lshift: movq   %rcx, (%rax)
.Lshifts: movb  7(%rax), %dl
        decl    %ecx
        jnz     .Lfour

        movl    $2000, %ecx
.Lfive: leaq    3(%rsi), %rax
        testl   %ecx, %ecx
        cmovzq  %rsi, %rax
.Lchoice: movl  %ecx, (%rax)
.Lchoices: movb 3(%rax), %dl
        decl    %ecx
        jnz     .Lfive

        movl    $2000, %ecx
.Lhalf: leaq    3(%rsi), %rdx
        movq    %rsi, %rax
        testl   %ecx, %ecx
        cmovnzq %rdx, %rax
.Lother: movl   %ecx, (%rax)
.Lothers: movb  3(%rax), %dl
        decl    %ecx
        jnz     .Lhalf

        movl    $2000, %ecx
.Lsix:  xorl    %eax, %eax
        testq   %rsi, %rsi
        setnz   %al
        addq    %rsi, %rax
.Lflag: movl    %ecx, (%rax)
.Lflags: movb   3(%rax), %dl
        decl    %ecx
        jnz     .Lsix
        exit
        bss     .Lbuffer, 512, 256

/* kernel: straddle */
/* A load that straddles two stores depends on both of them. */
/* expect: low  -> both  dk=0  n=1000  d=2 */
/* expect: high -> both  dk=0  n=1000  d=1 */
        times   1000
.Llow:  movl    %ecx, -8(%rsp)
.Lhigh: movl    %ecx, -4(%rsp)
.Lboth: movq    -8(%rsp), %rax
        again

/* kernel: split-load */
/* A load that lies half in what this iteration stored and half in what the one
   before did depends twice on the same store. */
/* expect: store -> load  dk=0,1  n=1000  d=1 */
        over    .Lelements, %rdi, 8*1001, 64, +8
.Lstore: movq   %rcx, (%rdi)
.Lload: movq    -4(%rdi), %rax
        addq    $8, %rdi
        nop
        again

/* kernel: wide-load */
/* A wide load covers what one instruction stored in two iterations: two
   values of dk, but one occurrence, with the smaller distance. */
/* expect: store -> load  dk=1,2  n=999  d=4 */
        over    .Lelements, %rdi, 8*1002, 8, +16
.Lload: movups  -16(%rdi), %xmm0
.Lstore: movq   %rcx, (%rdi)
        addq    $8, %rdi
        again

/* kernel: wide-edges */
/* Accesses that cross a cache line, and others that cross a page's end. */
/* needs: avx */
/* expect: line -> across  dk=0  n=1000  d=1 */
/* expect: page -> below   dk=0  n=1000  d=1 */
/* expect: page -> above   dk=0  n=1000  d=2 */
/* expect: page -> both    dk=0  n=1000  d=4 */
/* expect: word -> both    dk=0  n=1000  d=1 */
/* expect: quad -> before  dk=0  n=1000  d=1 */
/* expect: quad -> behind  dk=0  n=1000  d=2 */
/* expect: page -> beyond  dk=0  n=1000  d=8 */
/* expect: far  -> last    dk=0  n=1000  d=1 */
/* expect: far  -> tail    dk=0  n=1000  d=2 */
        over    .Lpages, %rdi, 3*4096, 4096, +4096
.Lline: vmovups %ymm0, 48(%rdi)         # bytes 48 to 79
.Lacross: vmovups 56(%rdi), %ymm1
.Lpage: vmovups %ymm0, -16(%rdi)        # bytes -16 to 15
.Lbelow: movq   -8(%rdi), %rax
.Labove: movq   8(%rdi), %rax
.Lword: movw    %cx, -1(%rdi)
.Lboth: vmovups -8(%rdi), %xmm1
.Lquad: movq    %rcx, -3(%rdi)          # bytes -3 to 4
.Lbefore: movb  -1(%rdi), %al
.Lbehind: movb  4(%rdi), %al
.Lbeyond: movb  5(%rdi), %al
.Lfar:  vmovups %ymm0, 4065(%rdi)       # one byte of the next page
.Llast: movb    4096(%rdi), %al
.Ltail: movq    4090(%rdi), %rax
        again

/* kernel: widths */
/* Accesses of 1, 2, 4, 8 and 16 bytes: any byte in common is enough, and
   bytes beside each other are not. */
/* expect: store16 -> load8   dk=0  n=1000  d=4 */
/* expect: store2  -> load8   dk=0  n=1000  d=2 */
/* expect: store1  -> load16  dk=0  n=1000  d=4 */
/* expect: store2  -> load16  dk=0  n=1000  d=3 */
/* expect: store4  -> load16  dk=0  n=1000  d=2 */
/* expect: store16 -> load16  dk=0  n=1000  d=5 */
/* expect: store4  -> load1   dk=0  n=1000  d=3 */
        times   1000
.Lstore16: movups %xmm0, -16(%rsp)      # bytes -16 to -1
.Lstore1: movb  %cl, -1(%rsp)
.Lstore2: movw  %cx, -10(%rsp)
.Lstore4: movl  %ecx, -8(%rsp)
.Lload8: movq   -16(%rsp), %rax
.Lload16: movups -16(%rsp), %xmm1
.Lload1: movb   -5(%rsp), %al
        again

/* kernel: unaligned */
/* Accesses of all widths at odd places: each byte has its own last writer. */
/* expect: first  -> load1  dk=0  n=1000  d=3 */
/* expect: middle -> load1  dk=0  n=1000  d=1 */
/* expect: middle -> load2  dk=0  n=1000  d=2 */
/* expect: second -> load2  dk=0  n=1000  d=3 */
/* expect: first  -> load3  dk=0  n=1000  d=5 */
/* expect: middle -> load3  dk=0  n=1000  d=3 */
/* expect: second -> load3  dk=0  n=1000  d=4 */
/* expect: first  -> load4  dk=0  n=1000  d=7 */
/* expect: odd    -> load4  dk=0  n=1000  d=1 */
/* expect: second -> load5  dk=0  n=1000  d=8 */
/* expect: last   -> load5  dk=0  n=1000  d=1 */
/* expect: first  -> load6  dk=0  n=1000  d=10 */
/* expect: odd    -> load6  dk=0  n=1000  d=4 */
/* expect: middle -> load6  dk=0  n=1000  d=8 */
/* expect: second -> load6  dk=0  n=1000  d=9 */
/* expect: last   -> load6  dk=0  n=1000  d=2 */
        over    .Lbuffer, %rdi, 1024
.Lfirst: movq   %rcx, (%rdi)            # bytes 0 to 7
.Lsecond: movq  %rcx, 8(%rdi)           # bytes 8 to 15
.Lmiddle: movl  %ecx, 6(%rdi)           # bytes 6 to 9
.Lload1: movq   (%rdi), %rax
.Lload2: movq   8(%rdi), %rax
.Lload3: movq   4(%rdi), %rax
.Lodd:  movw    %cx, 3(%rdi)            # bytes 3 and 4
.Lload4: movl   2(%rdi), %eax
.Llast: movb    %cl, 15(%rdi)
.Lload5: movw   14(%rdi), %ax
.Lload6: movups 1(%rdi), %xmm0
        again

/* kernel: partial-overlap */
/* A narrow store covers a part of a wide one: what lies beside it keeps its
   writer. */
/* expect: wide   -> around  dk=0  n=1000  d=2 */
/* expect: narrow -> around  dk=0  n=1000  d=1 */
/* expect: narrow -> inside  dk=0  n=1000  d=2 */
/* expect: wide   -> beside  dk=0  n=1000  d=4 */
        times   1000
.Lwide: movq    %rcx, -8(%rsp)          # bytes -8 to -1
.Lnarrow: movw  %cx, -6(%rsp)           # bytes -6 and -5
.Laround: movl  -8(%rsp), %eax
.Linside: movb  -5(%rsp), %al
.Lbeside: movl  -4(%rsp), %eax
        again

/* kernel: bit-test-memory */
/* A bit test whose index is a register reaches beyond its operand, to either
   side.  VEX accesses the byte that has the bit. */
/* expect: store      -> test        dk=0  n=1000  d=3 */
/* expect: below      -> set         dk=0  n=1000  d=4 */
/* expect: set        -> load        dk=0  n=1000  d=1 */
/* expect: below      -> load        dk=0  n=1000  d=5 */
/* expect: store      -> reset       dk=0  n=1000  d=8 */
/* expect: reset      -> complement  dk=0  n=1000  d=1 */
/* expect: complement -> byte        dk=0  n=1000  d=1 */
/* expect: store      -> near        dk=0  n=1000  d=11 */
        over    .Lbuffer, %rdi, 1024, 64, +64
.Lstore: movq   %rcx, 8(%rdi)
.Lbelow: movw   %cx, -2(%rdi)
        movl    $70, %eax
.Ltest: btq     %rax, (%rdi)            # in byte 8
        movq    $-9, %rax
.Lset:  btsq    %rax, (%rdi)            # in byte -2
.Lload: movw    -2(%rdi), %ax
        movl    $127, %eax
.Lreset: btrq   %rax, (%rdi)            # in byte 15
.Lcomplement: btcl %eax, (%rdi)         # in byte 15
.Lbyte: movb    15(%rdi), %al
.Lnear: movb    14(%rdi), %al
        again

/* kernel: bit-test-register */
/* A bit test of a register by a register accesses no memory.  VEX stores the
   register far below the stack's top, tests it there, and loads it again.  What
   it sets and clears is the index of the loads. */
/* expect: store  -> set     dk=0  n=1000  d=6 */
/* expect: store  -> reset   dk=0  n=1000  d=10 */
/* expect: store  -> change  dk=0  n=1000  d=14 */
/* expect: below  -> load    dk=0  n=1000  d=15 */
        over    .Lbuffer, %rdi, 1024
.Lstore: movq   %rcx, 64(%rdi)
.Lbelow: movl   %ecx, -288(%rsp)
        btq     %rcx, %rdx
        xorl    %edx, %edx
        movl    $67, %eax               # bit 3
        btsq    %rax, %rdx
.Lset:  movb    (%rdi,%rdx,8), %al      # 8
        movl    $15, %eax
        btsw    %ax, %dx
        btrw    %ax, %dx
.Lreset: movb   (%rdi,%rdx,8), %al
        movl    $31, %eax
        btcl    %eax, %edx
        btcl    %eax, %edx
.Lchange: movb  (%rdi,%rdx,8), %al
        bt      %edx, %eax
.Lload: movl    -288(%rsp), %eax
        btsq    $5, %rdx
        again

/* kernel: crc32 */
/* crc32 loads 1, 2, 4 or 8 bytes. */
/* needs: sse4_2 */
/* expect: store -> byte  dk=0  n=1000  d=2 */
/* expect: high  -> word  dk=0  n=1000  d=2 */
/* expect: store -> long  dk=0  n=1000  d=4 */
/* expect: high  -> long  dk=0  n=1000  d=3 */
/* expect: store -> quad  dk=0  n=1000  d=5 */
/* expect: high  -> quad  dk=0  n=1000  d=4 */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
.Lhigh: movw    %cx, -6(%rsp)
.Lbyte: crc32b  -8(%rsp), %eax
.Lword: crc32w  -6(%rsp), %eax
.Llong: crc32l  -8(%rsp), %eax
.Lquad: crc32q  -8(%rsp), %rax
        again

/* kernel: movbe */
/* movbe swaps bytes on the way, and accesses what a mov would. */
/* needs: movbe */
/* expect: store -> load  dk=0  n=1000  d=1 */
/* expect: store -> long  dk=0  n=1000  d=3 */
/* expect: word  -> long  dk=0  n=1000  d=1 */
        times   1000
.Lstore: movbe  %rcx, -8(%rsp)
.Lload: movbe   -8(%rsp), %rax
.Lword: movbe   %cx, -6(%rsp)
.Llong: movbe   -8(%rsp), %eax
        again

/* kernel: pcmpistri */
/* The string comparisons of SSE 4.2 load 16 bytes, however long the strings. */
/* needs: sse4_2 */
/* expect: low  -> index     dk=0  n=1000  d=2 */
/* expect: high -> index     dk=0  n=1000  d=1 */
/* expect: low  -> mask      dk=0  n=1000  d=3 */
/* expect: high -> mask      dk=0  n=1000  d=2 */
/* expect: low  -> explicit  dk=0  n=1000  d=4 */
/* expect: high -> explicit  dk=0  n=1000  d=3 */
        times   1000, %ebx
.Llow:  movq    $0x4141, -16(%rsp)      # two characters and the end
.Lhigh: movq    %rbx, -8(%rsp)
.Lindex: pcmpistri $8, -16(%rsp), %xmm1
.Lmask: pcmpistrm $8, -16(%rsp), %xmm1
.Lexplicit: pcmpestri $8, -16(%rsp), %xmm1
        again   %ebx

/* kernel: x87-environment */
/* x87's environment (28 bytes), state (108), control and status words. */
/* expect: stenv -> ldenv    dk=0  n=1000  d=1 */
/* expect: save  -> restore  dk=0  n=1000  d=1 */
/* expect: stcw  -> ldcw     dk=0  n=1000  d=1 */
/* expect: stsw  -> word     dk=0  n=1000  d=1 */
/* expect: stenv -> last     dk=0  n=1000  d=8 */
/* expect: save  -> end      dk=0  n=1000  d=7 */
/* expect: store -> beyond   dk=0  n=1000  d=11 */
        over    .Lbuffer, %rdi, 1024
.Lstore: movq   %rcx, 28(%rdi)
.Lstenv: fnstenv (%rdi)                 # bytes 0 to 27
.Lldenv: fldenv (%rdi)
.Lsave: fnsave  64(%rdi)                # bytes 64 to 171
.Lrestore: frstor 64(%rdi)
.Lstcw: fnstcw  256(%rdi)
.Lldcw: fldcw   256(%rdi)
.Lstsw: fnstsw  256(%rdi)
.Lword: movw    256(%rdi), %ax
.Llast: movb    27(%rdi), %al
.Lend:  movb    171(%rdi), %al
.Lbeyond: movq  28(%rdi), %rax
        again

/* kernel: x87-extended */
/* x87 stores and loads ten bytes, and eight as an integer or a double. */
/* expect: wide    -> low     dk=0  n=1000  d=1 */
/* expect: wide    -> high    dk=0  n=1000  d=2 */
/* expect: before  -> beside  dk=0  n=1000  d=5 */
/* expect: wide    -> read    dk=0  n=1000  d=4 */
/* expect: integer -> back    dk=0  n=1000  d=1 */
/* expect: double  -> last    dk=0  n=1000  d=1 */
        times   1000
.Lbefore: movq  %rcx, -8(%rsp)
        fldpi
.Lwide: fstpt   -16(%rsp)               # bytes -16 to -7
.Llow:  movq    -16(%rsp), %rax
.Lhigh: movw    -8(%rsp), %ax
.Lbeside: movw  -6(%rsp), %ax
.Lread: fldt    -16(%rsp)
.Linteger: fistpll -32(%rsp)
.Lback: fildll  -32(%rsp)
.Ldouble: fstpl -40(%rsp)
.Llast: movq    -40(%rsp), %rax
        again

/* kernel: fxsave */
/* fxsave and fxrstor access x87's state, MXCSR and each XMM register on its
   own: 18 accesses.  The store changes half a register. */
/* expect: save  -> part     dk=0  n=1000  d=1 */
/* expect: save  -> restore  dk=0  n=18000  d=3 */
/* expect: store -> restore  dk=0  n=1000  d=1 */
        over    .Lbuffer, %rdi, 1024
.Lsave: fxsave  (%rdi)
.Lpart: movq    160(%rdi), %rax         # %xmm0
.Lstore: movq   %rcx, 176(%rdi)         # %xmm1
.Lrestore: fxrstor (%rdi)
        movq    416(%rdi), %rax         # reserved
        again

/* kernel: xsave */
/* xsave and xrstor access what %rax asks for: 1 is x87's state, 2 the XMM
   registers, 4 the upper halves of the YMM registers, each on its own.  They
   read the byte that says what is in the area, and xsave writes it; MXCSR goes
   with 2 and 4. */
/* needs: xsave */
/* oracle: off, because lackey shows what a false guard keeps from happening */
/* expect: all -> sse      dk=0  n=1000  d=2 */
/* expect: all -> x87      dk=0  n=1000  d=3 */
/* expect: sse -> xmm      dk=0  n=1000  d=2 */
/* expect: all -> ymm      dk=0  n=1000  d=5 */
/* expect: sse -> restore  dk=0  n=2000  d=5 */
/* expect: all -> restore  dk=0  n=16000  d=7 */
/* expect: sse -> all      dk=1  n=999  d=9 */
        leaq    .Lbuffer(%rip), %rdi
        xorl    %edx, %edx
        times   1000
        movl    $7, %eax
.Lall:  xsave   (%rdi)
        movl    $2, %eax
.Lsse:  xsave   (%rdi)
.Lx87:  movq    (%rdi), %rax
.Lxmm:  movq    160(%rdi), %rax
.Lymm:  movq    576(%rdi), %rax
        movl    $4, %eax
.Lrestore: xrstor (%rdi)
        again
        bss     .Lbuffer, 1024

/* kernel: mxcsr */
/* stmxcsr stores, and ldmxcsr loads, four bytes. */
/* expect: store -> load  dk=0  n=1000  d=1 */
        times   1000
.Lstore: stmxcsr -8(%rsp)
.Lload: ldmxcsr -8(%rsp)
        again
