/* Where an address comes from: registers, memory, vectors, and what is known of them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: aliased-registers */
/* Two registers hold the same address.  Nothing in the block says so: the
   method misses the dependency. */
/* expect: store -> load  dk=?  n=1000  d=1 */
        leaq    .Lcell(%rip), %rsi
        movq    %rsi, %rdi
        times   1000
.Lstore: movq   %rcx, (%rdi)
.Lload: movq    (%rsi), %rax
        again
        bss     .Lcell, 8, 8

/* kernel: chosen-pointer */
/* A conditional move chooses between two pointers, by flags that the block
   sets itself: the load is always from the first. */
/* expect: store -> load  dk=0  n=1000  d=6 */
        leaq    .Lone(%rip), %rsi
        leaq    .Lother(%rip), %rdi
        times   1000
.Lstore: movq   %rcx, (%rsi)
.Laside: movq   %rcx, (%rdi)
        movl    $5, %edx
        cmpl    $7, %edx
        movq    %rdi, %rax
        cmovlq  %rsi, %rax
.Lload: movq    (%rax), %rbx
        addq    $16, %rsi
        addq    $16, %rdi
        again
        bss     .Lone, 16000
        bss     .Lother, 16000, 1

/* kernel: closed-list */
/* A list of two nodes that closes on itself.  The block alone cannot know that
   the next node but one is this one: the method misses the dependency. */
/* expect: count -> count  dk=?  n=998  d=8 */
        leaq    .Lfirst(%rip), %rdi
        times   1000
        movq    (%rdi), %rdi
.Lcount: incq   8(%rdi)
        again

        .data
        .balign 8
.Lfirst: .quad  .Lsecond, 0
.Lsecond: .quad .Lfirst, 0

/* kernel: index-through-float */
/* An index that goes through floating point, which the method does not
   evaluate: both addresses are unknown to it, and the dependency is missed. */
/* expect: store -> load  dk=?  n=1000  d=1 */
        over    .Lelements, %rdi, 8*1000, 8, +0, 999
        cvtsi2sdl %ecx, %xmm0
        cvttsd2si %xmm0, %rdx
.Lstore: movq   %rcx, (%rdi,%rdx,8)
.Lload: movq    (%rdi,%rdx,8), %rax
        decl    %ecx
        jns     .Lloop
        exit

/* kernel: lea */
/* A pointer that lea computes and an address that the load computes itself are
   the same. */
/* expect: store -> load  dk=0  n=1000  d=1 */
        leaq    .Lelements(%rip), %rdi
        xorl    %esi, %esi
        times   1000
        leaq    8(%rdi,%rsi,4), %rbx
.Lstore: movl   %ecx, (%rbx)
.Lload: movl    8(%rdi,%rsi,4), %eax
        incq    %rsi
        again
        bss     .Lelements, 8+4*1000, 8

/* kernel: moving-pointer-in-memory */
/* A pointer that lives in memory and moves on each iteration: it is a
   dependency itself, and the accesses through it are found only by whoever
   follows its value through memory. */
/* expect: advance -> fetch  dk=1  n=999  d=3 */
/* expect: store   -> load   dk=1  n=999  d=5 */
        times   1000
.Lfetch: movq   .Lpointer(%rip), %rbx
.Lload: movq    (%rbx), %rax
        addq    $8, %rbx
.Lstore: movq   %rcx, (%rbx)
.Ladvance: movq %rbx, .Lpointer(%rip)
        again

        .data
        .balign 8
.Lpointer: .quad .Lelements
        bss     .Lelements, 8*1001, 8

/* kernel: multiplied-index */
/* Elements of 24 bytes: the index is multiplied, or taken three times and
   scaled by eight, or the product is that of a one-operand multiplication. */
/* expect: store -> scaled  dk=1  n=999  d=5 */
/* expect: store -> full    dk=1  n=999  d=8 */
        leaq    .Lelements+24(%rip), %rdi
        xorl    %esi, %esi
        times   1000
        leaq    (%rsi,%rsi,2), %rax
.Lscaled: movq  -24(%rdi,%rax,8), %rdx
        movl    $24, %eax
        mulq    %rsi
.Lfull: movq    -24(%rdi,%rax), %rdx
        imulq   $24, %rsi, %rax
.Lstore: movq   %rcx, (%rdi,%rax)
        incq    %rsi
        again
        bss     .Lelements, 24*1001

/* kernel: own-base */
/* A load overwrites the register that its address was made of: what is stored
   through it before is read, and what is behind it is elsewhere. */
/* expect: link -> walk  dk=0  n=1000  d=1 */
/* expect: mark -> look  dk=0  n=1000  d=1 */
        over    .Lelements, %rdi, 16*1002
        leaq    16(%rdi), %rax
.Llink: movq    %rax, (%rdi)
.Lwalk: movq    (%rdi), %rdi
.Lmark: movq    %rcx, 8(%rdi)
.Llook: movq    8(%rax), %rdx
        again

/* kernel: pointer-in-memory */
/* A pointer in memory that nothing changes: each load of it gives the same
   address, whatever that is. */
/* expect: store -> load  dk=0  n=1000  d=2 */
        times   1000
        movq    .Lpointer(%rip), %rbx
.Lstore: movq   %rcx, (%rbx)
        movq    .Lpointer(%rip), %rsi
.Lload: movq    (%rsi), %rax
        again

        .data
        .balign 8
.Lpointer: .quad .Ltarget
.Ltarget: .quad 0

/* kernel: register-stride */
/* Both pointers advance by the same register, so the load stays two strides
   behind the store, whatever the stride is. */
/* expect: store -> load  dk=2  n=998  d=15 */
        leaq    .Lelements(%rip), %rdi
        movl    $24, %esi
        addq    %rsi, %rdi
        addq    %rsi, %rdi
        times   1000
        movq    %rdi, %rax
        subq    %rsi, %rax
        subq    %rsi, %rax
.Lload: movq    (%rax), %rdx
.Lstore: movq   %rcx, (%rdi)
        addq    %rsi, %rdi
        again
        bss     .Lelements, 24*1002

/* kernel: ring-buffer */
/* A ring buffer of eight, indexed through a mask: the next slot holds what
   was stored seven iterations ago. */
/* expect: store -> load  dk=7  n=993  d=67 */
        xorl    %ecx, %ecx
        leaq    .Lring(%rip), %rdi
.Lloop:
        movl    %ecx, %edx
        andl    $7, %edx
.Lstore: movq   %rcx, (%rdi,%rdx,8)
        incl    %ecx
        movl    %ecx, %edx
        andl    $7, %edx
.Lload: movq    (%rdi,%rdx,8), %rax
        cmpl    $1000, %ecx
        jne     .Lloop
        exit
        bss     .Lring, 8*8, 8

/* kernel: rotated-pointers */
/* Three pointers change places through moves: what one stored, the next one
   reads when it has come to its place. */
/* expect: store -> next  dk=1  n=999  d=10 */
/* expect: store -> last  dk=2  n=998  d=20 */
        leaq    .Lelements(%rip), %rdi
        leaq    64(%rdi), %rsi
        leaq    128(%rdi), %rdx
        times   1000
.Lstore: movq   %rcx, (%rdi)
.Lnext: movq    (%rsi), %rax
.Llast: movq    (%rdx), %rbx
        movq    %rdx, %rax
        movq    %rsi, %rdx
        movq    %rdi, %rsi
        movq    %rax, %rdi
        again
        bss     .Lelements, 192

/* kernel: shifted-index */
/* An index that a shift scales, one that the address scales, and one that
   additions scale are the same. */
/* expect: store -> shift  dk=1  n=999  d=6 */
/* expect: store -> sum    dk=1  n=999  d=10 */
/* expect: store -> right  dk=1  n=999  d=14 */
        leaq    .Lelements+8(%rip), %rdi
        xorl    %esi, %esi
        times   1000
        movq    %rsi, %rax
        shlq    $3, %rax
.Lshift: movq   -8(%rdi,%rax), %rdx
        leaq    (%rsi,%rsi), %rax
        addq    %rax, %rax
        addq    %rax, %rax
.Lsum:  movq    -8(%rdi,%rax), %rdx
        leaq    (,%rsi,8), %rax
        shrq    $3, %rax
        shlq    $3, %rax
.Lright: movq   -8(%rdi,%rax), %rdx
.Lstore: movq   %rcx, (%rdi,%rsi,8)
        incq    %rsi
        again
        bss     .Lelements, 8*1001

/* kernel: sign-extended-index */
/* A 32-bit index, sign-extended as compilers do for `int i`. */
/* expect: store -> load  dk=1  n=999  d=5 */
        leaq    .Lmiddle(%rip), %rdi
        times   -500
        movslq  %ecx, %rdx
.Lload: movq    -8(%rdi,%rdx,8), %rax
.Lstore: movq   %rcx, (%rdi,%rdx,8)
        incl    %ecx
        cmpl    $500, %ecx
        jne     .Lloop
        exit

        .bss
        .balign 8
        .skip   8 * 501
.Lmiddle: .skip 8 * 500

/* kernel: swapped-pointers */
/* Two pointers are swapped each iteration: what is stored through one is
   loaded through the other, the next time. */
/* expect: store -> load  dk=1  n=999  d=4 */
        leaq    .Lone(%rip), %rsi
        leaq    .Lother(%rip), %rdi
        times   1000
.Lload: movq    (%rsi), %rax
.Lstore: movq   %rcx, (%rdi)
        xchgq   %rsi, %rdi
        again
        bss     .Lone, 8, 8
        bss     .Lother, 8, 1

/* kernel: negative-stride */
/* A pointer that walks down. */
/* expect: store -> load  dk=1  n=999  d=4 */
        leaq    .Lend(%rip), %rdi
        times   1000
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rcx, -8(%rdi)
        subq    $8, %rdi
        again

        .bss
        .balign 8
        .skip   8 * 1000
.Lend:  .skip   8

/* kernel: wrap-around */
/* Addresses agree because sums wrap: at 32 bits, where a large number is added
   for a small one subtracted, and at 64 bits. */
/* expect: store -> narrow  dk=1  n=999  d=6 */
/* expect: store -> wide    dk=1  n=999  d=10 */
        movl    $1000, %ecx
        leaq    .Lelements+16(%rip), %rdi
        times   1, %esi
        movl    %esi, %eax
        addl    $0xffffffff, %eax
.Lnarrow: movq  (%rdi,%rax,8), %rdx
        movabsq $0x8000000000000000, %r8
        leaq    -8(%rdi,%r8), %rax
        leaq    (%rax,%rsi,8), %rax
.Lwide: movq    (%rax,%r8), %rdx
.Lstore: movq   %rcx, (%rdi,%rsi,8)
        incl    %esi
        again
        bss     .Lelements, 8*1004

/* kernel: segment */
/* The same bytes through %fs and without.  The block alone does not know where
   %fs begins. */
/* expect: store -> again  dk=0  n=1000  d=1 */
/* expect: store -> flat   dk=?  n=1000  d=2 */
/* expect: low   -> high   dk=?  n=1000  d=1 */
        movl    $158, %eax              # arch_prctl(ARCH_SET_FS, buffer)
        movl    $0x1002, %edi
        leaq    .Lbuffer(%rip), %rsi
        syscall
        times   1000, %ebx
.Lstore: movq   %rbx, %fs:8
.Lagain: movq   %fs:8, %rax
.Lflat: movq    8(%rsi), %rax
.Llow:  movq    %rbx, 16(%rsi)
.Lhigh: movl    %fs:20, %eax
        again   %ebx
        bss     .Lbuffer, 1024

/* kernel: high-address */
/* The same loop at a low address, long enough to be hot, and then at one where
   nothing was mapped before, 2^40 bytes higher; what was written first is still
   known afterwards. */
/* expect: byte -> rbyte  dk=0  n=6000  d=5 */
/* expect: half -> rhalf  dk=0  n=6000  d=5 */
/* expect: int  -> rint   dk=0  n=6000  d=5 */
/* expect: quad -> rquad  dk=0  n=6000  d=5 */
/* expect: wide -> rwide  dk=0  n=6000  d=5 */
/* expect: int  -> last   dk=-  n=1     d=36027 */
        leaq    .Lbuffer(%rip), %rbx
        movq    %rbx, %rsi
        leaq    .Lmap(%rip), %rbp
        jmp     .Lwork
.Lmap:
        movl    $9, %eax                # mmap(high, 8192, RW, fixed anonymous)
        movabsq $0x10000000000, %rdi
        addq    %rbx, %rdi
        movq    %rdi, %r12
        andq    $-4096, %rdi
        movl    $8192, %esi
        movl    $3, %edx
        movl    $0x32, %r10d
        movl    $-1, %r8d
        xorl    %r9d, %r9d
        syscall
        movq    %r12, %rsi
        leaq    .Llast(%rip), %rbp
        jmp     .Lwork
.Llast: movl    4(%rbx), %eax
        exit

.Lwork: movl    $3000, %ecx
.Lloop:
.Lbyte: movb    %cl, (%rsi)
.Lhalf: movw    %cx, 2(%rsi)
.Lint:  movl    %ecx, 4(%rsi)
.Lquad: movq    %rcx, 8(%rsi)
.Lwide: movups  %xmm0, 16(%rsi)
.Lrbyte: movb   (%rsi), %al
.Lrhalf: movw   2(%rsi), %ax
.Lrint: movl    4(%rsi), %eax
.Lrquad: movq   8(%rsi), %rax
.Lrwide: movups 16(%rsi), %xmm1
        decl    %ecx
        jnz     .Lloop
        jmp     *%rbp
        bss     .Lbuffer, 64

/* kernel: xmm-pointer */
/* A pointer is kept in a vector register: moved, shuffled, shifted by bytes,
   unpacked and put together again, spilled and filled with it. */
/* expect: store -> moved     dk=0  n=1000  d=2 */
/* expect: store -> shuffled  dk=0  n=1000  d=6 */
/* expect: store -> shifted   dk=0  n=1000  d=10 */
/* expect: store -> unpacked  dk=0  n=1000  d=18 */
/* expect: store -> filled    dk=0  n=1000  d=21 */
/* expect: spill -> fill      dk=0  n=1000  d=1 */
        over    .Lelements, %rdi, 8*1000
        movq    %rdi, %xmm0
.Lstore: movq   %rcx, (%rdi)
        movq    %xmm0, %rax
.Lmoved: movq   (%rax), %rdx
        pshufd  $0x44, %xmm0, %xmm1
        movhlps %xmm1, %xmm2
        movq    %xmm2, %rax
.Lshuffled: movq (%rax), %rdx
        pslldq  $5, %xmm0
        psrldq  $5, %xmm0
        movq    %xmm0, %rax
.Lshifted: movq (%rax), %rdx
        pxor    %xmm4, %xmm4
        movdqa  %xmm0, %xmm3
        punpcklwd %xmm4, %xmm3          # words 0, 1, 2, 3, a zero behind each
        pshuflw $0x88, %xmm3, %xmm3
        pshufhw $0x88, %xmm3, %xmm3
        pshufd  $0x88, %xmm3, %xmm3
        movq    %xmm3, %rax
.Lunpacked: movq (%rax), %rdx
.Lspill: movups %xmm0, -24(%rsp)
.Lfill: movq    -24(%rsp), %rax
.Lfilled: movq  (%rax), %rdx
        addq    $8, %rdi
        again

/* kernel: varying-distance */
/* A store before a loop is read in each of its three iterations: the distance
   varies, and the dependency spans two blocks. */
/* expect: store -> load  dk=-  n=3000  d=2..8 */
        movl    $1000, %ecx
.Louter:
.Lstore: movq   %rcx, -8(%rsp)
        movl    $3, %edx
.Linner:
.Lload: movq    -8(%rsp), %rax
        decl    %edx
        jnz     .Linner
        decl    %ecx
        jnz     .Louter
        exit
