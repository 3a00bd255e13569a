/* Compare-and-swap, exchanges, and what a lock prefix makes of other instructions. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: cmpxchg-unlocked */
/* Without a lock prefix, a cmpxchg that fails writes what it has read: "the
   destination operand receives a write cycle without regard to the result"
   (Intel's manual, volume 2). */
/* expect: store -> fail  dk=0  n=1000  d=2 */
/* expect: fail  -> load  dk=0  n=1000  d=1 */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
        leaq    1(%rcx), %rax
.Lfail: cmpxchgq %rbx, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        again

/* kernel: cmpxchg-widths */
/* Compare-and-swaps of one and of two bytes access no more than that. */
/* expect: store -> byte  dk=0  n=1000  d=2 */
/* expect: byte  -> word  dk=0  n=1000  d=2 */
/* expect: store -> word  dk=0  n=1000  d=4 */
/* expect: word  -> load  dk=0  n=1000  d=1 */
/* expect: store -> load  dk=0  n=1000  d=5 */
        movl    $0x1234, %ecx
        times   1000, %ebx
.Lstore: movl   %ebx, -8(%rsp)
        movl    %ebx, %eax
.Lbyte: lock cmpxchgb %cl, -8(%rsp)
        movb    %cl, %al
.Lword: lock cmpxchgw %cx, -8(%rsp)
.Lload: movl    -8(%rsp), %eax
        again   %ebx

/* kernel: cmpxchg16b */
/* cmpxchg16b compares two halves, here first one that differs, then what the
   failure has learnt.  It reads both at once, and writes if both are equal. */
/* needs: cx16 */
/* oracle: off, because no branch tells that it failed */
/* expect: low  -> fail   dk=0  n=1000  d=4 */
/* expect: high -> fail   dk=0  n=1000  d=3 */
/* expect: low  -> swap   dk=0  n=1000  d=5 */
/* expect: high -> swap   dk=0  n=1000  d=4 */
/* expect: swap -> load1  dk=0  n=1000  d=1 */
/* expect: swap -> load2  dk=0  n=1000  d=2 */
        leaq    .Lbuffer(%rip), %rdi
        times   1000, %r8d
.Llow:  movq    %r8, (%rdi)
.Lhigh: movq    %r8, 8(%rdi)
        movq    %r8, %rax
        leaq    1(%r8), %rdx
.Lfail: lock cmpxchg16b (%rdi)
.Lswap: lock cmpxchg16b (%rdi)
.Lload1: movq   (%rdi), %rax
.Lload2: movq   8(%rdi), %rax
        again   %r8d
        bss     .Lbuffer, 1024

/* kernel: cmpxchg8b */
/* cmpxchg8b compares two halves, here first one that differs, then what the
   failure has learnt.  It reads both at once, and writes if both are equal. */
/* oracle: off, because no branch tells that it failed */
/* expect: low  -> fail   dk=0  n=1000  d=4 */
/* expect: high -> fail   dk=0  n=1000  d=3 */
/* expect: low  -> swap   dk=0  n=1000  d=5 */
/* expect: high -> swap   dk=0  n=1000  d=4 */
/* expect: swap -> load1  dk=0  n=1000  d=1 */
/* expect: swap -> load2  dk=0  n=1000  d=2 */
        leaq    .Lbuffer(%rip), %rdi
        times   1000, %r8d
.Llow:  movl    %r8d, (%rdi)
.Lhigh: movl    %r8d, 4(%rdi)
        movl    %r8d, %eax
        leal    1(%r8), %edx
.Lfail: lock cmpxchg8b (%rdi)
.Lswap: lock cmpxchg8b (%rdi)
.Lload1: movl   (%rdi), %eax
.Lload2: movl   4(%rdi), %eax
        again   %r8d
        bss     .Lbuffer, 1024

/* kernel: failing-cmpxchg */
/* A compare-and-swap that fails reads and does not write. */
/* expect: store -> swap  dk=0  n=1000  d=2 */
/* expect: store -> load  dk=0  n=1000  d=3 */
/* oracle: off, because no branch tells that it failed */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
        leaq    1(%rcx), %rax
.Lswap: lock cmpxchgq %rbx, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        again

/* kernel: retried-cmpxchg */
/* A compare-and-swap that fails, learns the value, and is tried again: two
   reads of the store, and one write that is read later.  Its block, unrolled
   without the store, soon succeeds each time and reads its own write. */
/* expect: store -> swap  dk=-  n=2000  d=2..4 */
/* expect: swap  -> load  dk=-  n=1000  d=2 */
/* expect: swap  -> swap  dk=1  n=0 */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
        leaq    1(%rcx), %rax
.Lretry:
.Lswap: lock cmpxchgq %rbx, -8(%rsp)
        jne     .Lretry
.Lload: movq    -8(%rsp), %rax
        again

/* kernel: lock-add */
/* lock add is two reads for VEX, a load and that of the compare-and-swap which
   then writes: two occurrences each time. */
/* expect: add -> add  dk=1  n=1998  d=3 */
        over    .Lsum, %rdi, 4, 8
.Ladd:  lock addl $1, (%rdi)
        again

/* kernel: lock-forms */
/* Locked instructions with one operand and two, each two reads for VEX. */
/* expect: store     -> increment  dk=0  n=2000  d=1 */
/* expect: increment -> negate     dk=0  n=2000  d=1 */
/* expect: negate    -> or         dk=0  n=2000  d=1 */
/* expect: or        -> set        dk=0  n=2000  d=1 */
/* expect: set       -> load       dk=0  n=1000  d=1 */
        times   1000
.Lstore: movl   %ecx, -8(%rsp)
.Lincrement: lock incl -8(%rsp)
.Lnegate: lock negl -8(%rsp)
.Lor:   lock orl $1, -8(%rsp)
.Lset:  lock btsl $3, -8(%rsp)
.Lload: movl    -8(%rsp), %eax
        again

/* kernel: xadd */
/* xadd loads and stores; with a lock prefix it is two reads for VEX, as
   lock-add says. */
/* expect: store  -> add     dk=0  n=1000  d=2 */
/* expect: add    -> locked  dk=0  n=2000  d=1 */
/* expect: locked -> load    dk=0  n=1000  d=1 */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
        movl    $1, %eax
.Ladd:  xaddq   %rax, -8(%rsp)
.Llocked: lock xaddq %rax, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        again

/* kernel: xchg-memory */
/* xchg with memory is locked without a prefix, and so two reads for VEX. */
/* expect: store -> quad    dk=0  n=2000  d=1 */
/* expect: quad  -> load    dk=0  n=1000  d=1 */
/* expect: quad  -> byte    dk=0  n=2000  d=2 */
/* expect: byte  -> around  dk=0  n=1000  d=1 */
/* expect: quad  -> around  dk=0  n=1000  d=3 */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
.Lquad: xchgq   %rax, -8(%rsp)
.Lload: movq    -8(%rsp), %rdx
.Lbyte: xchgb   %al, -8(%rsp)
.Laround: movl  -8(%rsp), %edx
        again

/* kernel: read-modify-write */
/* One instruction that loads, adds and stores depends on itself. */
/* expect: add -> add  dk=1  n=999  d=3 */
        over    .Lsum, %rdi, 4, 8
.Ladd:  addl    $1, (%rdi)
        again
