/* Loops, each with the chain that limits it (form: tests/depbound/chains.sh). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .globl  f
        .type   f, @function
f:
/* after each kernel */
        .text
        ret
        .size   f, . - f

/* kernel: addressing */
/* Each element from the one before, which is stored by a pointer and loaded by an
   index: two ways to say the same address (OSACA's open issue 42). */
/* scope: function */
/* cycles: 1 without memory, 6 with it */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: store data 0 0 */
            movl    $1, %eax
        leaq    8(%rdi), %rdx
.Lload: movq    -8(%rdi,%rax,8), %rcx
.Ladd:  addq    %r8, %rcx
.Lstore: movq   %rcx, (%rdx)
        addq    $8, %rdx
        addq    $1, %rax
        cmpq    %rsi, %rax
        jne     .Lload

/* kernel: after-store */
/* A forward that fails does not wait for what stands after the store. */
/* cycles: 1 without memory, 20 with it */
/* link: get memory 20 1 */
.Lget:  movq    (%rdi), %rax
        movq    %rcx, 1(%rdi)
        imulq   %rax, %rax
        imulq   %rax, %rax
        decl    %edx
        jne     .Lget

/* kernel: before-store */
/* A forward that fails waits for the store to leave the store buffer, and so for
   what stands before it, though nothing of it is stored. */
/* cycles: 1 without memory, 25 with it */
/* link: get memory 19 1 */
/* link: one register 3 0 */
/* link: two register 3 0 */
.Lget:  movq    (%rdi), %rax
.Lone:  imulq   %rax, %rax
.Ltwo:  imulq   %rax, %rax
        movq    %rcx, 1(%rdi)
        decl    %edx
        jne     .Lget

/* kernel: blocks */
/* A loop of two blocks: the chain goes through both. */
/* scope: function */
/* cycles: 1 without memory, 7 with it */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: more register 1 0 */
/* link: store data 0 0 */
.Lload: movq    (%rdi), %rax
.Ladd:  addq    $1, %rax
        cmpq    %rcx, %rdx
        je      .Lskip
.Lmore: addq    %rsi, %rax
.Lstore: movq   %rax, (%rdi)
        subq    $1, %rdx
        jne     .Lload
.Lskip:

/* kernel: began-early */
/* A load that began before the address of the store was known waits for it the next
   times, and the chain goes through the address. */
/* cycles: 1 without memory, 15 with it */
/* link: one register 3 1 */
/* link: two register 3 0 */
/* link: put data 0 0 */
/* link: load memory 3 0 */
/* link: load address 5 0 */
/* link: and register 1 0 */
.Lone:  imulq   %rax, %rax
.Ltwo:  imulq   %rax, %rax
.Lput:  movq    %r8, (%rdi,%rax)
.Lload: movl    4(%rdi), %ecx
.Land:  andl    $0, %ecx
.Lmove: movq    %rcx, %rax
        decl    %edx
        jne     .Lone

/* kernel: branch-before-store */
/* A forward that fails waits for the branch before its store. */
/* scope: function */
/* cycles: 1 without memory, 23 with it */
/* link: get memory 19 1 */
/* link: mul register 3 0 */
/* link: test register 1 0 */
            movl    $20, %r8d
.Lget:  movq    (%rdi), %rax
.Lcopy: movq    %rax, %rdx
.Lmul:  imulq   %rdx, %rdx
.Ltest: testq   %rdx, %rdx
        js      .Lskip
        movq    %rcx, 1(%rdi)
.Lskip: decl    %r8d
        jne     .Lget

/* kernel: carry */
/* A sum of long numbers: the carry goes from round to round, and dec keeps it. */
/* cycles: 2 without memory, 2 with it */
/* link: low register 1 1 */
/* link: high register 1 0 */
.Lload: movq    (%rsi,%rcx,8), %rax
        movq    8(%rsi,%rcx,8), %rbx
.Llow:  adcq    %r8, %rax
.Lhigh: adcq    %r9, %rbx
        leaq    2(%rcx), %rcx
.Lstep: decq    %rdx
        jne     .Lload

/* kernel: chase */
/* A list: each load waits for the address that the one before gave. */
/* cycles: 5 without memory, 5 with it */
/* link: load address 5 1 */
.Lload: movq    (%rdi), %rdi
        testq   %rdi, %rdi
        jne     .Lload

/* kernel: conditional */
/* A minimum: the comparison and the conditional move are in the chain. */
/* cycles: 2 without memory, 2 with it */
/* link: cmp register 1 1 */
/* link: cmov register 1 0 */
.Lload: movq    (%rdi), %rcx
.Lcmp:  cmpq    %rax, %rcx
.Lcmov: cmovl   %rcx, %rax
        addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload

/* kernel: copy */
/* A copy: no chain but the counter. */
/* cycles: 1 without memory, 1 with it */
/* link: step register 1 1 */
.Lload: movq    (%rdi,%rcx,8), %rax
        movq    %rax, (%rsi,%rcx,8)
.Lstep: addq    $1, %rcx
        cmpq    %rdx, %rcx
        jne     .Lload

/* kernel: crossed */
/* Two registers that exchange their values: the chain needs two rounds. */
/* cycles: 2 without memory, 2 with it */
/* link: mul register 3 1 */
/* link: add register 1 1 */
.Lfirst: movq   %rax, %r8
.Lmul:  imulq   %rcx, %r8
.Ladd:  leaq    1(%rbx), %rax
.Llast: movq    %r8, %rbx
        subq    $1, %rdx
        jne     .Lfirst

/* kernel: dot */
/* A sum in a register: nothing goes through memory. */
/* cycles: 4 without memory, 4 with it */
/* link: add register 4 1 */
.Lload: movsd   (%rdi), %xmm1
        mulsd   (%rsi), %xmm1
.Ladd:  addsd   %xmm1, %xmm0
        addq    $8, %rsi
        addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload

/* kernel: failed */
/* Two stores of 4 bytes, one load of 8: no single store has its bytes. */
/* cycles: 1 without memory, 22 with it */
/* link: load memory 21 1 */
/* link: add register 1 0 */
/* link: low data 0 0 */
.Lload: movq    (%rdi), %rax
.Ladd:  addq    $3, %rax
.Llow:  movl    %eax, (%rdi)
        movl    %esi, 4(%rdi)
.Lstep: subq    $1, %rdx
        jne     .Lload

/* kernel: halves */
/* The upper half of a vector has a chain of its own. */
/* cycles: 4 without memory, 4 with it */
/* link: add register 4 1 */
.Ladd:  addsd   %xmm1, %xmm0
        movhpd  (%rdi), %xmm0
        addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Ladd

/* kernel: narrow */
/* A byte load from what a wider store left. */
/* cycles: 1 without memory, 6 with it */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: store data 0 0 */
.Lload: movzbl  (%rdi), %eax
.Ladd:  addl    %ecx, %eax
.Lstore: movl   %eax, (%rdi)
        subq    $1, %rdx
        jne     .Lload

/* kernel: overwritten */
/* Two stores of the same width give the load its bytes, now the one and now the
   other: each forward is one of all bytes, and does not fail.  On the way around the
   loop it is always the second one, which waits for nothing. */
/* scope: function */
/* cycles: 1 without memory, 1 with it */
            movl    $20, %r8d
.Lput:  movq    %rax, (%rdi)
        cmpq    $5, (%rsi)
        je      .Lskip
        movq    %rcx, (%rdi)
.Lskip: addq    $8, %rsi
.Lget:  movq    (%rdi), %rax
.Linc:  addq    $1, %rax
        decl    %r8d
        jne     .Lput

/* kernel: pointer */
/* A pointer that is stored and loaded again: the address of the next load. */
/* cycles: 1 without memory, 10 with it */
/* link: load memory 5 1 */
/* link: next address 5 0 */
/* link: store data 0 0 */
.Lload: movq    (%rdi), %rax
.Lnext: movq    (%rax), %rcx
.Lstore: movq   %rcx, (%rdi)
        subq    $1, %rdx
        jne     .Lload

/* kernel: prefix */
/* A prefix sum in memory: each round loads what the one before stored. */
/* cycles: 1 without memory, 6 with it */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: store data 0 0 */
.Lload: movq    -8(%rdi), %rax
.Ladd:  addq    (%rsi), %rax
.Lstore: movq   %rax, (%rdi)
        addq    $8, %rsi
.Lstep: addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload

/* kernel: prefix-double */
/* The same with doubles: a multiplication and an addition in the chain. */
/* cycles: 1 without memory, 13 with it */
/* link: mul memory 5 1 */
/* link: mul register 4 0 */
/* link: add register 4 0 */
/* link: store data 0 0 */
.Lload: movsd   (%rdi), %xmm1
        movapd  %xmm2, %xmm0
.Lmul:  mulsd   -8(%rdi), %xmm0
.Ladd:  addsd   %xmm1, %xmm0
.Lstore: movsd  %xmm0, (%rdi)
.Lstep: addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload

/* kernel: product */
/* A chain of multiplications through registers. */
/* cycles: 3 without memory, 3 with it */
/* link: mul register 3 1 */
.Lmul:  imulq   %rcx, %rax
        subq    $1, %rdx
        jne     .Lmul

/* kernel: rewrite */
/* One instruction loads, adds and stores the same cell (OSACA's open issue 41). */
/* cycles: 1 without memory, 6 with it */
/* link: add memory 5 1 */
/* link: add register 1 0 */
.Ladd:  addq    %rax, (%rdi)
.Lstep: subq    $1, %rsi
        jne     .Ladd

/* kernel: same-round */
/* A value that goes through memory within a round, and on in a register. */
/* cycles: 1 without memory, 7 with it */
/* link: store data 0 1 */
/* link: load memory 5 0 */
/* link: add register 1 0 */
/* link: last register 1 0 */
.Lstore: movq   %rax, (%rdi,%rcx,8)
.Lload: movq    (%rdi,%rcx,8), %rbx
.Ladd:  addq    $1, %rbx
.Llast: leaq    2(%rbx), %rax
        subq    $1, %rdx
        jne     .Lstore

/* kernel: short-step */
/* The address moves by less than the width of the accesses: half of what a round
   loads is from the store of the round before, and half is in the cache, so the
   forward fails. */
/* cycles: 1 without memory, 21 with it */
/* link: get memory 20 1 */
/* link: put data 0 0 */
/* link: inc register 1 0 */
            movl    $100, %ecx
.Lget:  movq    (%rdi), %rax
.Linc:  addq    $1, %rax
.Lput:  movq    %rax, (%rdi)
        addq    $4, %rdi
        decl    %ecx
        jnz     .Lget

/* kernel: short-step-vector */
/* As short-step, with parts of 8 bytes of an access of 16; walks see it, too. */
/* scope: both */
/* cycles: 1 without memory, 21 with it */
/* link: get memory 20 1 */
/* link: put data 0 0 */
/* link: inc register 1 0 */
            movl    $100, %ecx
.Lget:  movups  (%rdi), %xmm0
.Linc:  paddd   %xmm1, %xmm0
.Lput:  movups  %xmm0, (%rdi)
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lget

/* kernel: spilled */
/* An accumulator on the stack, whose load the processor renames: it costs nothing. */
/* cycles: 1 without memory, 2 with it */
/* link: load memory 0 1 */
/* link: add register 1 0 */
/* link: more register 1 0 */
/* link: store data 0 0 */
.Lload: movq    -8(%rsp), %rax
.Ladd:  addq    (%rdi), %rax
.Lmore: addq    %rcx, %rax
.Lstore: movq   %rax, -8(%rsp)
        addq    $8, %rdi
        subq    $1, %rsi
        jne     .Lload

/* kernel: swapped */
/* Two arrays that swap their parts after each run: the outer loop carries what is
   stored, though as many instructions lie in between as in two rounds. */
/* scope: function */
/* cycles: 1 without memory, 1 with it */
/* link: step register 1 1 */
.Lsweep: movl    $0, %eax
.Lload: movq    (%rsi,%rax,8), %rcx
.Ladd:  addq    $1, %rcx
.Lstore: movq   %rcx, (%rdi,%rax,8)
.Lstep: addq    $1, %rax
        cmpq    %r8, %rax
        jne     .Lload
        xchgq   %rsi, %rdi
        nop
        nop
        subq    $1, %rdx
        jne     .Lsweep

/* kernel: two-back */
/* What the round before the last one stored: half of the cycles a round. */
/* cycles: 1 without memory, 3 with it */
/* link: load memory 5 2 */
/* link: add register 1 0 */
/* link: store data 0 0 */
.Lload: movq    -16(%rdi), %rax
.Ladd:  addq    %rcx, %rax
.Lstore: movq   %rax, (%rdi)
.Lstep: addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload

/* kernel: two-chains */
/* Of two chains the longer one counts. */
/* cycles: 4 without memory, 4 with it */
/* link: mul register 3 1 */
/* link: add register 1 0 */
.Lmul:  imulq   %rcx, %rax
.Ladd:  addq    %rcx, %rax
        addq    %rcx, %r8
        addq    %rcx, %r8
        subq    $1, %rdx
        jne     .Lmul

/* kernel: two-ways */
/* A round in which something is skipped is shorter: the fewest instructions between
   the store and the load do not tell that a round lies between, but the distance
   vector does. */
/* scope: function */
/* cycles: 1 without memory, 3 with it */
/* link: get memory 5 1 */
/* link: inc register 1 0 */
/* link: put data 0 1 */
            nop
.Lput:  movq    %rax, (%rdi)
        addq    $8, %rdi
        cmpq    $5, (%rsi)
        je      .Lskip
        nop
        nop
        nop
        nop
        nop
        nop
.Lskip: addq    $8, %rsi
.Lget:  movq    -16(%rdi), %rax
.Linc:  addq    $1, %rax
        cmpq    %rdx, %rdi
        jne     .Lput

/* kernel: wider */
/* Two arrays at known addresses: walks through the function see that they meet,
   and addresses that move alike meet in each round. */
/* scope: both */
/* cycles: 1 without memory, 6 with it */
/* link: get memory 5 1 */
/* link: inc register 1 0 */
/* link: put data 0 0 */
            leaq    array(%rip), %rsi
        leaq    8+array(%rip), %rdi
        xorl    %eax, %eax
.Lget:  movq    (%rsi,%rax,8), %rdx
.Linc:  addq    $1, %rdx
.Lput:  movq    %rdx, (%rdi,%rax,8)
        addl    $1, %eax
        cmpl    $100, %eax
        jne     .Lget
        .bss
array:  .skip   1024

/* kernel: wider-once */
/* The load moves away from the store: they meet in the first round alone. */
/* scope: both */
/* cycles: 1 without memory, 1 with it */
/* link: step register 1 1 */
            leaq    8+array(%rip), %rsi
        leaq    array(%rip), %rdi
        xorl    %edx, %edx
.Lput:  movq    %rdx, 8(%rdi)
        movq    (%rsi), %rdx
        addq    $1, %rdx
.Lstep: addq    $8, %rsi
        cmpq    %rcx, %rsi
        jne     .Lput
        .bss
array:  .skip   1024

/* kernel: wider-sometimes */
/* A pointer that has one of two values: not all walks see the arrays meet. */
/* scope: both */
/* cycles: 1 without memory, 1 with it */
/* link: step register 1 1 */
            leaq    array(%rip), %rsi
        leaq    8+array(%rip), %rdi
        leaq    other(%rip), %rax
        testl   %edx, %edx
        je      .Lset
        movq    %rax, %rdi
.Lset:  xorl    %eax, %eax
.Lget:  movq    (%rsi,%rax,8), %rdx
        addq    $1, %rdx
        movq    %rdx, (%rdi,%rax,8)
.Lstep: addl    $1, %eax
        cmpl    $100, %eax
        jne     .Lget
        .bss
array:  .skip   1024
other:  .skip   1024

/* kernel: zero */
/* A register that is cleared by itself waits for nothing. */
/* cycles: 1 without memory, 1 with it */
.Lloop: imulq   %rax, %rax
        xorl    %eax, %eax
        addq    %rcx, %rax
.Lstep: subq    $1, %rdx
        jne     .Lloop
