/* Vectors: masks, gathers, parts, and loads that VEX drops. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  masked_store store, move, mask, data, loaded
        movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
        \move   .Lmask(%rip), \mask
.Lloop:
.Lall:  \move   \data, (%rdi)
.Lsome: \store \mask, \data
.Lload: \move   (%rdi), \loaded
.Lfirst: movb   (%rdi), %al
.Lsecond: movb  1(%rdi), %al
        again
        .section .rodata
        .balign 16
.Lmask: .quad   0x800000ff00000080, 0x0000000000007f7f
        bss     .Lbuffer, 1024
        .endm

/* kernel: masked */
/* A masked store writes only the lanes whose mask is set, here the first; a
   masked load reads only these. */
/* needs: avx */
/* expect: all  -> second  dk=0  n=1000  d=5 */
/* expect: lane -> first   dk=0  n=1000  d=1 */
/* expect: lane -> masked  dk=0  n=1000  d=3 */
        times   1000
.Lall:  movups  %xmm1, -16(%rsp)
        movl    $0xffffffff, %eax       # zero-extended
        movq    %rax, %xmm0
.Llane: vmaskmovps %xmm1, %xmm0, -16(%rsp)
.Lfirst: movl   -16(%rsp), %eax
.Lsecond: movl  -12(%rsp), %eax
.Lmasked: vmaskmovps -16(%rsp), %xmm0, %xmm2
        again

/* kernel: masked-gather */
/* A gather loads only the elements whose mask is set, here the first of four;
   the others would be at the top of the stack. */
/* needs: avx2 */
/* oracle: off, because lackey shows the loads at the top of the stack */
/* expect: first -> gather  dk=0  n=1000  d=5 */
        leaq    -64(%rsp), %rsp
        times   1000
.Ltop:  movl    %ecx, (%rsp)
.Lfirst: movl   %ecx, 16(%rsp)
        movl    $0xffffffff, %eax
        vmovd   %eax, %xmm1             # the mask: the first element
        movl    $4, %eax
        vmovd   %eax, %xmm2             # the indices: 4, 0, 0, 0
.Lgather: vpgatherdd %xmm1, (%rsp,%xmm2,4), %xmm3
        again

/* kernel: masked-wide */
/* Masked loads and stores of 32 bytes access the elements whose mask is set,
   each on its own.  The mask is longs 0, 2, 3 and 7, or quads 1 and 3. */
/* needs: avx2 */
/* expect: mask0 -> mask   dk=0  n=1000  d=5 */
/* expect: mask1 -> mask   dk=0  n=1000  d=4 */
/* expect: mask2 -> mask   dk=0  n=1000  d=3 */
/* expect: mask3 -> mask   dk=0  n=1000  d=1 */
/* expect: all   -> read   dk=0  n=1000  d=2 */
/* expect: longs -> read   dk=0  n=1000  d=1 */
/* expect: longs -> long0  dk=0  n=1000  d=3 */
/* expect: all   -> long1  dk=0  n=1000  d=5 */
/* expect: quads -> long2  dk=0  n=1000  d=3 */
/* expect: all   -> long4  dk=0  n=1000  d=7 */
/* expect: quads -> long6  dk=0  n=1000  d=5 */
/* expect: quads -> some   dk=0  n=2000  d=6 */
/* expect: longs -> more   dk=0  n=1000  d=9 */
/* expect: quads -> more   dk=0  n=3000  d=7 */
        over    .Lbuffer, %rdi, 1024
        movl    $0xffffffff, %eax       # zero-extended
.Lmask0: movq   %rax, 64(%rdi)
.Lmask1: movq   $-1, 72(%rdi)
.Lmask2: movq   $0, 80(%rdi)
        shlq    $32, %rax
.Lmask3: movq   %rax, 88(%rdi)
.Lmask: vmovups 64(%rdi), %ymm0
.Lall:  vmovups %ymm1, (%rdi)
.Llongs: vmaskmovps %ymm1, %ymm0, (%rdi)
.Lread: vmovups (%rdi), %ymm2
.Lquads: vpmaskmovq %ymm1, %ymm0, (%rdi)
.Llong0: movl   (%rdi), %eax
.Llong1: movl   4(%rdi), %eax
.Llong2: movl   8(%rdi), %eax
.Llong4: movl   16(%rdi), %eax
.Llong6: movl   24(%rdi), %eax
.Lsome: vpmaskmovq (%rdi), %ymm0, %ymm2
.Lmore: vpmaskmovd (%rdi), %ymm0, %ymm2
        again

/* kernel: maskmovdqu */
/* maskmovdqu stores the bytes whose mask is set, here three, and loads nothing.
   VEX shows a load and a store of all of them, which staticdeps takes as they
   are. */
/* oracle: off, because lackey shows what VEX does */
/* expect: all  -> load    dk=?  n=1000  d=2 */
/* expect: some -> load    dk=0  n=1000  d=1 */
/* expect: some -> first   dk=0  n=1000  d=2 */
/* expect: all  -> second  dk=?  n=1000  d=4 */
/* expect: all  -> some    dk=0  n=0 */
/* expect: some -> second  dk=0  n=0 */
        masked_store maskmovdqu, movups, %xmm0, %xmm1, %xmm2

/* kernel: maskmovq */
/* maskmovq stores the bytes whose mask is set, here three, and loads nothing.
   VEX shows a load and a store of all of them, which staticdeps takes as they
   are. */
/* oracle: off, because lackey shows what VEX does */
/* expect: all  -> load    dk=?  n=1000  d=2 */
/* expect: some -> load    dk=0  n=1000  d=1 */
/* expect: some -> first   dk=0  n=1000  d=2 */
/* expect: all  -> second  dk=?  n=1000  d=4 */
/* expect: all  -> some    dk=0  n=0 */
/* expect: some -> second  dk=0  n=0 */
        masked_store maskmovq, movq, %mm0, %mm1, %mm2

/* kernel: gather-quads */
/* A gather of quadwords by quadwords: two of four elements, of one writer.  The
   other two are at the top of the stack for VEX, where there is a store. */
/* needs: avx2 */
/* oracle: off, because lackey shows a load at the top of the stack */
/* expect: wide -> gather  dk=?  n=2000  d=3 */
        leaq    .Lbuffer(%rip), %rdi
        vmovups .Lindices(%rip), %ymm2
        vmovups .Lmask(%rip), %ymm4
        times   1000
.Lwide: vmovups %ymm0, (%rdi)
.Ltop:  movq    %rcx, (%rsp)
        vmovups %ymm4, %ymm1            # the gather clears it
.Lgather: vpgatherqq %ymm1, (%rdi,%ymm2,8), %ymm3
        again

        .section .rodata
        .balign 32
.Lindices: .quad 0, 1, 2, 3
.Lmask: .quad   -1, 0, -1, 0
        bss     .Lbuffer, 1024

/* kernel: gather-writers */
/* A gather of four elements: two of one writer, one of another, and one that
   its mask leaves out.  staticdeps takes the indices for unknown. */
/* needs: avx2 */
/* oracle: off, because lackey shows a load at the top of the stack */
/* expect: one -> gather  dk=?  n=1000  d=4 */
/* expect: two -> gather  dk=?  n=2000  d=3 */
        leaq    .Lbuffer(%rip), %rdi
        vmovups .Lindices(%rip), %xmm2
        vmovups .Lmask(%rip), %xmm4
        times   1000
.Lone:  movl    %ecx, (%rdi)
.Ltwo:  movq    %rcx, 8(%rdi)
.Lout:  movl    %ecx, 20(%rdi)
        vmovups %xmm4, %xmm1            # the gather clears it
.Lgather: vgatherdps %xmm1, (%rdi,%xmm2,4), %xmm3
        again

        .section .rodata
        .balign 16
.Lindices: .long 0, 2, 3, 5
.Lmask: .long   -1, -1, -1, 0
        bss     .Lbuffer, 1024

/* kernel: folded-loads */
/* Loads whose value does not matter, because VEX knows the other operand: they
   happen all the same.  Compilers that save space write x = 0 as a
   conjunction and x = -1 as a disjunction. */
/* oracle: off, because VEX folds these loads for lackey, too */
/* expect: long  -> and      dk=0  n=1000  d=1  same=1000 */
/* expect: quad  -> or       dk=0  n=1000  d=1  same=1000 */
/* expect: word  -> narrow   dk=0  n=1000  d=1  same=1000 */
/* expect: byte  -> test     dk=0  n=1000  d=1  same=1000 */
/* expect: other -> imul     dk=0  n=1000  d=1  same=1000 */
/* expect: other -> known    dk=0  n=1000  d=3  same=1000 */
/* expect: wide  -> pand     dk=0  n=1000  d=2  same=1000 */
/* expect: wide  -> shuffled dk=0  n=1000  d=3  contained=1000 */
        times   1000
.Llong: movl    %ecx, -8(%rsp)
.Land:  andl    $0, -8(%rsp)
.Lquad: movq    %rcx, -16(%rsp)
.Lor:   orq     $-1, -16(%rsp)
.Lword: movw    %cx, -18(%rsp)
.Lnarrow: andw  $0, -18(%rsp)
.Lbyte: movb    %cl, -20(%rsp)
.Ltest: testb   $0, -20(%rsp)
.Lother: movl   %ecx, -28(%rsp)
.Limul: imull   $0, -28(%rsp), %edx
        xorl    %eax, %eax
.Lknown: andl   -28(%rsp), %eax
.Lwide: movaps  %xmm1, -64(%rsp)
        pxor    %xmm0, %xmm0
.Lpand: pand    -64(%rsp), %xmm0
.Lshuffled: andq -56(%rsp), %rax
        again

/* kernel: folded-vectors */
/* Loads of which the result takes nothing, by the immediate operand or by a
   control in a register that VEX knows: they happen all the same. */
/* needs: avx2 */
/* oracle: off, because VEX folds these loads for lackey, too */
/* expect: half -> blend    dk=0  n=1000  d=1 */
/* expect: half -> dot      dk=0  n=1000  d=2 */
/* expect: half -> align    dk=0  n=1000  d=3 */
/* expect: half -> insert   dk=0  n=1000  d=4 */
/* expect: all  -> blended  dk=0  n=1000  d=1 */
/* expect: all  -> permuted dk=0  n=2000  d=2 */
/* expect: bits -> bextr    dk=0  n=1000  d=2 */
        times   1000
.Lhalf: vmovups %xmm1, -16(%rsp)
.Lblend: vblendps $0, -16(%rsp), %xmm1, %xmm2
.Ldot:  vdppd   $0, -16(%rsp), %xmm1, %xmm2
.Lalign: vpalignr $16, -16(%rsp), %xmm1, %xmm2
.Linsert: vinsertps $15, -12(%rsp), %xmm1, %xmm2
.Lall:  vmovups %ymm1, -64(%rsp)
.Lblended: vpblendd $0, -64(%rsp), %ymm1, %ymm2
        /* VEX loads each half. */
.Lpermuted: vperm2f128 $0x88, -64(%rsp), %ymm1, %ymm2
.Lbits: movl    %ecx, -72(%rsp)
        movl    $0x0828, %eax           # 8 bits from bit 40
.Lbextr: bextr  %eax, -72(%rsp), %edx
        again

/* kernel: vmaskmovdqu */
/* What maskmovdqu is, with a VEX prefix. */
/* needs: avx */
/* oracle: off, because lackey shows what VEX does */
/* expect: all  -> load    dk=?  n=1000  d=2 */
/* expect: some -> load    dk=0  n=1000  d=1 */
/* expect: some -> first   dk=0  n=1000  d=2 */
/* expect: all  -> second  dk=?  n=1000  d=4 */
/* expect: all  -> some    dk=0  n=0 */
/* expect: some -> second  dk=0  n=0 */
        masked_store vmaskmovdqu, movups, %xmm0, %xmm1, %xmm2

/* kernel: partial-vector */
/* Accesses of a part of a vector register. */
/* needs: sse4_1 */
/* expect: low    -> all      dk=0  n=1000  d=6 */
/* expect: high   -> all      dk=0  n=1000  d=5 */
/* expect: single -> all      dk=0  n=1000  d=4 */
/* expect: word   -> all      dk=0  n=1000  d=3 */
/* expect: byte   -> all      dk=0  n=1000  d=2 */
/* expect: quad   -> all      dk=0  n=1000  d=1 */
/* expect: byte   -> insert   dk=0  n=1000  d=3 */
/* expect: low    -> insert   dk=0  n=1000  d=7 */
/* expect: single -> convert  dk=0  n=1000  d=6 */
/* expect: quad   -> upper    dk=0  n=1000  d=4 */
/* expect: single -> upper    dk=0  n=1000  d=7 */
        times   1000
.Llow:  movlps  %xmm0, -32(%rsp)        # bytes 0 to 7
.Lhigh: movhps  %xmm0, -24(%rsp)        # bytes 8 to 15
.Lsingle: movss %xmm0, -24(%rsp)        # bytes 8 to 11
.Lword: pextrw  $3, %xmm0, -20(%rsp)    # bytes 12 and 13
.Lbyte: pextrb  $3, %xmm0, -31(%rsp)    # byte 1
.Lquad: movnti  %ecx, -28(%rsp)         # bytes 4 to 7
.Lall:  movups  -32(%rsp), %xmm1
.Linsert: pinsrw $1, -32(%rsp), %xmm1
.Lconvert: cvtss2sd -24(%rsp), %xmm1
.Lupper: movhps -28(%rsp), %xmm1
        again
