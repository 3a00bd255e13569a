/* How a load's bytes lie to those of the stores. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: forward-ages */
/* A vector of two words that one instruction stored.  Both are near, in 1000 rounds less
   than in 1000 others; then the first one is far, with the second where it was. */
/* expect: put -> get  dk=-  n=3000  d=288..408  partial=1000 several=2000 */
        # between the stores \between times 2 instructions and 5 others
        .macro  rounds between, after
        movl    $\between, %r8d
        movl    $\after, %r9d
        movl    $1000, %ebx
        leaq    1f(%rip), %rdx
        jmp     .Lround
1:
        .endm
        leaq    .Lbuffer(%rip), %rdi
        rounds  1, 140
        rounds  1, 200
        rounds  59, 142
        exit

.Lround: xorl   %esi, %esi
.Lput:  movq    %rax, (%rdi,%rsi,8)
        movl    %r8d, %ecx
.Lwait: decl    %ecx
        jnz     .Lwait
        incl    %esi
        cmpl    $2, %esi
        jb      .Lput
        movl    %r9d, %ecx
.Lmore: decl    %ecx
        jnz     .Lmore
.Lget:  movdqu  (%rdi), %xmm0
        decl    %ebx
        jnz     .Lround
        jmp     *%rdx
        bss     .Lbuffer, 64

/* kernel: forward-contained */
/* Loads of some bytes of one store, wherever they lie in it.  What was stored over
   the rest does not matter. */
/* expect: quad -> low   dk=0  n=1000  d=1  contained=1000 */
/* expect: quad -> high  dk=0  n=1000  d=2  contained=1000 */
/* expect: quad -> mid   dk=0  n=1000  d=3  contained=1000 */
/* expect: quad -> rest  dk=0  n=1000  d=5  contained=1000 */
/* expect: off  -> half  dk=0  n=1000  d=1  contained=1000 */
/* expect: vec  -> first dk=0  n=1000  d=1  contained=1000 */
/* expect: vec  -> last  dk=0  n=1000  d=2  contained=1000 */
/* expect: vec  -> inner dk=0  n=1000  d=3  contained=1000 */
        over    .Lbuffer, %rbx, 4096, 4096
.Lquad: movq    %rcx, 16(%rbx)
.Llow:  movl    16(%rbx), %eax
.Lhigh: movl    20(%rbx), %eax
.Lmid:  movw    19(%rbx), %ax
        movl    %ecx, 16(%rbx)
.Lrest: movl    20(%rbx), %eax
.Loff:  movq    %rcx, 68(%rbx)
.Lhalf: movl    72(%rbx), %eax
.Lvec:  movups  %xmm0, 136(%rbx)
.Lfirst: movq   136(%rbx), %rax
.Llast: movq    144(%rbx), %rax
.Linner: movq   140(%rbx), %rax
        again

/* kernel: forward-far */
/* Loads of bytes that stores wrote more than 512 instructions before.  These count
   each by itself, and near stores as if the far ones were none. */
/* expect: all  -> last  dk=0  n=1000  d=512  several=1000 */
/* expect: byte -> last  dk=0  n=1000  d=1  several=1000 */
/* expect: all  -> first dk=0  n=1000  d=513  partial=1000 */
/* expect: byte -> first dk=0  n=1000  d=2  partial=1000 */
/* expect: low  -> one   dk=0  n=1000  d=513  partial=1000 */
/* expect: high -> one   dk=0  n=1000  d=512  partial=1000 */
/* expect: low  -> none  dk=0  n=1000  d=514  partial=1000 */
/* expect: high -> none  dk=0  n=1000  d=513  partial=1000 */
/* expect: new  -> quad  dk=0  n=1000  d=1  partial=1000 */
/* expect: high -> quad  dk=0  n=1000  d=515  partial=1000 */
/* expect: vec  -> v     dk=0  n=1000  d=515  same=1000 */
/* expect: vec  -> word  dk=0  n=1000  d=516  contained=1000 */
/* expect: fill -> four  dk=-  n=1000  d=4  several=1000 */
/* expect: fill -> two   dk=-  n=1000  d=505  several=1000 */
/* expect: fill -> alone dk=-  n=1000  d=509  partial=1000 */
/* expect: fill -> all4  dk=-  n=1000  d=513  partial=1000 */
/* expect: fill -> pair  dk=-  n=1000  d=514  partial=1000 */
        over    .Lbuffer, %rbx, 4096, 4096
.Lall:  movq    %rcx, 16(%rbx)
.Llow:  movl    %ecx, 64(%rbx)
.Lhigh: movl    %ecx, 68(%rbx)
.Lvec:  movups  %xmm0, 128(%rbx)
        .rept   507
        nop
        .endr
.Lbyte: movb    %cl, 16(%rbx)
.Llast: movq    16(%rbx), %rax
.Lfirst: movq   16(%rbx), %rax
.Lone:  movq    64(%rbx), %rax
.Lnone: movq    64(%rbx), %rax
.Lnew:  movl    %ecx, 64(%rbx)
.Lquad: movq    64(%rbx), %rax
.Lv:    movups  128(%rbx), %xmm1
.Lword: movl    132(%rbx), %eax
        xorl    %esi, %esi
.Lfill: movl    %ecx, 192(%rbx,%rsi,4)
        incl    %esi
        cmpl    $4, %esi
        jb      .Lfill
.Lfour: movups  192(%rbx), %xmm1
        .rept   500
        nop
        .endr
.Ltwo:  movups  192(%rbx), %xmm1
        .rept   3
        nop
        .endr
.Lalone: movups 192(%rbx), %xmm1
        .rept   3
        nop
        .endr
.Lall4: movups  192(%rbx), %xmm1
.Lpair: movq    200(%rbx), %rax
        again

/* kernel: forward-line */
/* Loads that cross a line of 64 bytes, each time or one time in eight. */
/* expect: quad -> q     dk=0  n=1000  d=1  same=1000 crossing=1000 */
/* expect: half -> h     dk=0  n=1000  d=1  same=1000 crossing=1000 */
/* expect: vec  -> v     dk=0  n=1000  d=1  same=1000 crossing=1000 */
/* expect: vec  -> none  dk=0  n=1000  d=2  contained=1000 */
/* expect: walk -> w     dk=0  n=1000  d=1  same=1000 crossing=125 */
        leaq    .Lbuffer(%rip), %rbx
        leaq    256(%rbx), %rdi
        times   1000
.Lquad: movq    %rcx, 60(%rbx)
.Lq:    movq    60(%rbx), %rax
.Lhalf: movw    %cx, 127(%rbx)
.Lh:    movw    127(%rbx), %ax
.Lvec:  movups  %xmm0, 184(%rbx)
.Lv:    movups  184(%rbx), %xmm1
.Lnone: movq    192(%rbx), %rax
.Lwalk: movups  %xmm0, (%rdi)
.Lw:    movups  (%rdi), %xmm1
        addq    $8, %rdi
        again
        bss     .Lbuffer, 4*4096, 4096

/* kernel: forward-loop */
/* A load of bytes that one instruction stored in several executions: bytes one by
   one, words two by two, and vectors of which each covers half of the one
   before. */
/* expect: byte -> bytes  dk=-  n=1000  d=4  several=1000 */
/* expect: half -> words  dk=-  n=1000  d=4  several=1000 */
/* expect: over -> same   dk=0  n=7000  d=1  same=7000 */
/* expect: over -> behind dk=0,1  n=7000  d=2  partial=1000 several=6000 crossing=1000 */
/* expect: over -> across dk=-  n=1000  d=6  several=1000 */
        over    .Lbuffer, %rbx, 4096, 4096
        xorl    %esi, %esi
.Lbyte: movb    %cl, (%rbx,%rsi)
        incl    %esi
        cmpl    $8, %esi
        jb      .Lbyte
.Lbytes: movq   (%rbx), %rax
        xorl    %esi, %esi
.Lhalf: movl    %ecx, 64(%rbx,%rsi,4)
        incl    %esi
        cmpl    $2, %esi
        jb      .Lhalf
.Lwords: movq   64(%rbx), %rax
        xorl    %esi, %esi
.Lover: movups  %xmm0, 128(%rbx,%rsi,8)
.Lsame: movups  128(%rbx,%rsi,8), %xmm1
.Lbehind: movups 124(%rbx,%rsi,8), %xmm1
        incl    %esi
        cmpl    $7, %esi
        jb      .Lover
.Lacross: movups 172(%rbx), %xmm1
        again

/* kernel: forward-masked */
/* A masked store is a store for each element: a load of one has the same bytes, a
   load of more has those of several, or of one and of none.  To staticdeps it is
   one store, which a load that straddles its elements does not match. */
/* needs: avx */
/* expect: lanes -> one    dk=0  n=1000  d=1  same=1000 */
/* expect: lanes -> two    dk=0  n=1000  d=2  several=1000 */
/* expect: lanes -> part   dk=?  n=1000  d=3  partial=1000 */
/* expect: lanes -> inner  dk=?  n=1000  d=4  contained=1000 */
/* expect: lanes -> masked dk=0  n=2000  d=5  same=2000 */
/* expect: lanes -> all    dk=0  n=1000  d=6  several=1000 */
        leaq    .Lbuffer(%rip), %rbx
        movq    $-1, %rax
        movq    %rax, %xmm0             # the first two of four
        times   1000
.Llanes: vmaskmovps %xmm1, %xmm0, 16(%rbx)
.Lone:  movl    16(%rbx), %eax
.Ltwo:  movq    16(%rbx), %rax
.Lpart: movq    20(%rbx), %rax
.Linner: movw   21(%rbx), %ax
.Lmasked: vmaskmovps 16(%rbx), %xmm0, %xmm2
.Lall:  movups  16(%rbx), %xmm2
        again
        bss     .Lbuffer, 4096, 4096

/* kernel: forward-partial */
/* Loads of some bytes of one store, and of others that nothing stored. */
/* expect: word -> quad   dk=0  n=1000  d=1  partial=1000 */
/* expect: word -> before dk=0  n=1000  d=2  partial=1000 */
/* expect: byte -> half   dk=0  n=1000  d=1  partial=1000 */
/* expect: low  -> vec    dk=0  n=1000  d=1  partial=1000 */
        over    .Lbuffer, %rbx, 4096, 4096
.Lword: movl    %ecx, 16(%rbx)
.Lquad: movq    16(%rbx), %rax
.Lbefore: movq  14(%rbx), %rax
.Lbyte: movb    %cl, 65(%rbx)
.Lhalf: movw    64(%rbx), %ax
.Llow:  movq    %rcx, 128(%rbx)
.Lvec:  movups  128(%rbx), %xmm1
        again

/* kernel: forward-same */
/* Loads of the bytes of one store: of each width, at any address. */
/* expect: byte -> b  dk=0  n=1000  d=1  same=1000 */
/* expect: half -> h  dk=0  n=1000  d=1  same=1000 */
/* expect: word -> w  dk=0  n=1000  d=1  same=1000 */
/* expect: quad -> q  dk=0  n=1000  d=1  same=1000 */
/* expect: off  -> o  dk=0  n=1000  d=1  same=1000 */
/* expect: odd  -> p  dk=0  n=1000  d=1  same=1000 */
/* expect: vec  -> v  dk=0  n=1000  d=1  same=1000 */
/* expect: late -> l  dk=0  n=1000  d=2  same=1000 */
        over    .Lbuffer, %rbx, 4096, 4096
.Lbyte: movb    %cl, 1(%rbx)
.Lb:    movb    1(%rbx), %al
.Lhalf: movw    %cx, 4(%rbx)
.Lh:    movw    4(%rbx), %ax
.Lword: movl    %ecx, 8(%rbx)
.Lw:    movl    8(%rbx), %eax
.Lquad: movq    %rcx, 16(%rbx)
.Lq:    movq    16(%rbx), %rax
.Loff:  movq    %rcx, 28(%rbx)
.Lo:    movq    28(%rbx), %rax
.Lodd:  movq    %rcx, 65(%rbx)
.Lp:    movq    65(%rbx), %rax
.Lvec:  movups  %xmm0, 132(%rbx)
.Lv:    movups  132(%rbx), %xmm1
.Llate: movq    %rcx, 200(%rbx)
        movl    %ecx, 208(%rbx)         # beside it
.Ll:    movq    200(%rbx), %rax
        again

/* kernel: forward-several */
/* Loads of bytes that several stores wrote: halves, quarters, a byte in the
   middle; and of some that nothing stored, too. */
/* expect: a    -> quad  dk=0  n=1000  d=2  several=1000 */
/* expect: b    -> quad  dk=0  n=1000  d=1  several=1000 */
/* expect: c    -> vec   dk=0  n=1000  d=2  several=1000 */
/* expect: d    -> vec   dk=0  n=1000  d=1  several=1000 */
/* expect: all  -> patch dk=0  n=1000  d=2  several=1000 */
/* expect: byte -> patch dk=0  n=1000  d=1  several=1000 */
/* expect: e    -> wide  dk=0  n=1000  d=3  several=1000 */
/* expect: f    -> wide  dk=0  n=1000  d=2  several=1000 */
/* expect: f    -> f4    dk=0  n=1000  d=1  same=1000 */
        over    .Lbuffer, %rbx, 4096, 4096
.La:    movl    %ecx, 16(%rbx)
.Lb:    movl    %ecx, 20(%rbx)
.Lquad: movq    16(%rbx), %rax
.Lc:    movq    %rcx, 64(%rbx)
.Ld:    movq    %rcx, 72(%rbx)
.Lvec:  movups  64(%rbx), %xmm1
.Lall:  movq    %rcx, 128(%rbx)
.Lbyte: movb    %cl, 131(%rbx)
.Lpatch: movq   128(%rbx), %rax
.Le:    movl    %ecx, 196(%rbx)
.Lf:    movl    %ecx, 200(%rbx)
.Lf4:   movl    200(%rbx), %eax
.Lwide: movups  192(%rbx), %xmm1
        again

/* kernel: forward-vector */
/* Vectors that are loaded beside where they were stored: of a loop's loads, some
   find two stores, others cross a line, and the last ones find one. */
/* needs: avx */
/* expect: fill -> same    dk=-  n=16000  d=65..95  same=16000 */
/* expect: fill -> beside  dk=-  n=16000  d=62..96  several=15000 partial=1000 crossing=8000 */
/* expect: fill -> half    dk=-  n=16000  d=67..97  contained=16000 */
        movl    $1000, %ecx
        leaq    .Lcells(%rip), %rbx
.Lagain:
        xorl    %esi, %esi
.Lfill: vmovups %ymm0, (%rbx,%rsi)
        addl    $32, %esi
        cmpl    $512, %esi
        jb      .Lfill
        xorl    %esi, %esi
.Lsame: vmovups (%rbx,%rsi), %ymm1
.Lbeside: vmovups 8(%rbx,%rsi), %ymm2
.Lhalf: vmovups 16(%rbx,%rsi), %xmm3
        addl    $32, %esi
        cmpl    $512, %esi
        jb      .Lsame
        decl    %ecx
        jnz     .Lagain
        exit
        bss     .Lcells, 4096, 4096
