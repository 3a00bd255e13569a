/* How many iterations lie between a store and its load. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  distance iterations
        movl    $1000, %ecx
        leaq    .Lelements+8*\iterations(%rip), %rdi
.Lloop:
.Lload: movq    -8*\iterations(%rdi), %rax
.Lstore: movq   %rcx, (%rdi)
        addq    $8, %rdi
        again
        bss     .Lelements, 8*(1000+\iterations), 8
        .endm

/* kernel: distance-1 */
/* A load reads what was stored the iteration before. */
/* expect: store -> load  dk=1  n=999  d=4 */
        distance 1

/* kernel: distance-2 */
/* A load reads what was stored two iterations before. */
/* expect: store -> load  dk=2  n=998  d=9 */
        distance 2

/* kernel: distance-5 */
/* A load reads what was stored five iterations before. */
/* expect: store -> load  dk=5  n=995  d=24 */
        distance 5

/* kernel: distances */
/* Twenty loads of what was stored one to twenty iterations before. */
/* expect: store -> load1   dk=1  n=999  d=4 */
/* expect: store -> load2   dk=2  n=998  d=29 */
/* expect: store -> load3   dk=3  n=997  d=54 */
/* expect: store -> load4   dk=4  n=996  d=79 */
/* expect: store -> load5   dk=5  n=995  d=104 */
/* expect: store -> load6   dk=6  n=994  d=129 */
/* expect: store -> load7   dk=7  n=993  d=154 */
/* expect: store -> load8   dk=8  n=992  d=179 */
/* expect: store -> load9   dk=9  n=991  d=204 */
/* expect: store -> load10  dk=10  n=990  d=229 */
/* expect: store -> load11  dk=11  n=989  d=254 */
/* expect: store -> load12  dk=12  n=988  d=279 */
/* expect: store -> load13  dk=13  n=987  d=304 */
/* expect: store -> load14  dk=14  n=986  d=329 */
/* expect: store -> load15  dk=15  n=985  d=354 */
/* expect: store -> load16  dk=16  n=984  d=379 */
/* expect: store -> load17  dk=17  n=983  d=404 */
/* expect: store -> load18  dk=18  n=982  d=429 */
/* expect: store -> load19  dk=19  n=981  d=454 */
/* expect: store -> load20  dk=20  n=980  d=479 */
        over    .Lelements, %rdi, 8*(1000+20), 64, +160
        .irp    k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
.Lload\k: movq -8*\k(%rdi), %rax
        .endr
.Lstore: movq   %rcx, (%rdi)
        addq    $8, %rdi
        again

/* kernel: rounds */
/* Short loops that end after 1 to 40 rounds.  In the first, addresses stay
   multiples of what they were; in the second, they do not; the third begins
   itself again from two places. */
/* expect: put  -> get   dk=0  n=41000  d=1 */
/* expect: put  -> old   dk=1  n=39000  d=5 */
/* expect: over -> same  dk=0  n=41000  d=1 */
/* expect: over -> both  dk=-  n=2000   d=5..195 */
/* expect: sum  -> sum   dk=1  n=81999  d=3..458 */
        leaq    .Lcells(%rip), %rbx
        movl    $50, %r8d
.Lagain:
        movl    $1, %edx
.Ltrips:
        movl    %edx, %ecx
        movq    %rbx, %rsi
.Lold:  movl    (%rsi), %eax
.Lput:  movl    %ecx, 4(%rsi)
.Lget:  movl    4(%rsi), %eax
        addq    $4, %rsi
        decl    %ecx
        jnz     .Lold

        movl    %edx, %ecx
        leaq    512(%rbx), %rsi
        testl   %ecx, %ecx              # so that a superblock begins there
        jnz     .Lover
        hlt
.Lover: movl    %ecx, (%rsi)
.Lsame: movl    (%rsi), %eax
        addq    $2, %rsi
        decl    %ecx
        jnz     .Lover
.Lboth: movl    512(%rbx), %eax

        movl    %edx, %ecx
        movl    $2, %edi
.Lsum:  addl    %ecx, 1024(%rbx)
        decl    %ecx
        jnz     .Lsum
        movl    %edx, %ecx
        decl    %edi
        jnz     .Lsum
        incl    %edx
        cmpl    $41, %edx
        jne     .Ltrips
        decl    %r8d
        jnz     .Lagain
        exit
        bss     .Lcells, 4096, 4096

/* kernel: killed-store */
/* A store that is overwritten before it is read has no reader. */
/* expect: second -> load  dk=0  n=1000  d=1 */
        times   1000
        movq    $1, -8(%rsp)
.Lsecond: movq  %rcx, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        again

/* kernel: same-iteration */
/* A load reads what the same iteration stored. */
/* expect: store -> load  dk=0  n=1000  d=1 */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        again

/* kernel: store-first */
/* The store comes before the loads of earlier elements in the body. */
/* expect: store -> near  dk=1  n=999  d=7 */
/* expect: store -> far   dk=3  n=997  d=20 */
        over    .Lelements, %rdi, 8*1003, 64, +24
.Lstore: movq   %rcx, (%rdi)
.Lnear: movq    -8(%rdi), %rax
.Lfar:  movq    -24(%rdi), %rdx
        addq    $8, %rdi
        again

/* kernel: no-dependency */
/* One array is read and another written: no dependency at all. */
/* expect: nothing */
        leaq    .Lfrom(%rip), %rsi
        leaq    .Lto(%rip), %rdi
        times   1000
        movq    (%rsi), %rax
        movq    %rax, (%rdi)
        addq    $8, %rsi
        addq    $8, %rdi
        again
        bss     .Lfrom, 8*1000, 8
        bss     .Lto, 8*1000, 1

/* kernel: no-access */
/* Operands that name memory and do not access it. */
/* expect: nothing */
        times   1000
        movq    %rcx, -8(%rsp)
        leaq    -8(%rsp), %rax
        nopw    -8(%rsp)
        prefetcht0 -8(%rsp)
        prefetchnta -8(%rsp)
        clflush -8(%rsp)
        again

/* kernel: unused-load */
/* Conditional moves whose condition is known to be false when the code is
   translated, so that nobody uses what they load: in a loop that is short
   enough to be unrolled, and beside instructions of the x87. */
/* expect: first  -> short  dk=-  n=1000  d=2..3998 */
/* expect: second -> x87    dk=-  n=1000  d=4..5998 */
        movl    $1000, %ecx
.Lfirst: movq   %rcx, -8(%rsp)
.Lone:  cmpl    %ecx, %ecx
.Lshort: cmovneq -8(%rsp), %rax
        decl    %ecx
        jnz     .Lone

        movl    $1000, %ecx
.Lsecond: movq  %rcx, -8(%rsp)
.Ltwo:  cmpl    %ecx, %ecx
        fld1
        fstp    %st(0)
.Lx87:  cmovneq -8(%rsp), %rax
        decl    %ecx
        jnz     .Ltwo
        exit
