/* Stacks, calls, jumps and system calls. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: and-branches */
/* Two branches to one place, as of `a && b`: the second condition is executed only where
   the first branch is not taken. */
/* expect: store -> load  dk=-  n=1000  d=3..6 */
        over    .Lplace, %rdi, 8, 8
.Lstore: movl   %ecx, (%rdi)
        testl   $1, %ecx
        jnz     .Lload
        cmpl    $1000, %ecx
        je      .Lload
        nop
.Lload: movl    (%rdi), %eax
        again

/* kernel: call-ret */
/* call stores the return address and ret loads it.  Both end their blocks, so
   that the dependency spans two. */
/* expect: call -> return  dk=-  n=1000  d=1 */
        times   1000, %ebx
.Lcall: call    .Lcallee
        again   %ebx
.Lcallee:
.Lreturn: ret

/* kernel: conditional */
/* A conditional move loads its operand even if the condition is false. */
/* expect: store -> move  dk=0  n=1000  d=2 */
/* expect: set   -> test  dk=0  n=1000  d=1 */
/* expect: store -> test  dk=0  n=1000  d=4 */
        times   1000
.Lstore: movq   %rcx, -8(%rsp)
        cmpl    %ecx, %ecx
.Lmove: cmovneq -8(%rsp), %rax
.Lset:  sete    -7(%rsp)
.Ltest: testw   $1, -8(%rsp)
        again

/* kernel: enter */
/* enter stores the frame pointer that leave loads. */
/* expect: local -> use    dk=0  n=1000  d=1 */
/* expect: enter -> leave  dk=0  n=1000  d=3 */
        times   1000
.Lenter: enter  $32, $0
.Llocal: movq   %rcx, -8(%rbp)
.Luse:  movq    24(%rsp), %rax
.Lleave: leave
        again

/* kernel: frame */
/* A frame as compilers make it: leave pops what the first push stored. */
/* expect: push  -> leave  dk=0  n=1000  d=5 */
/* expect: local -> use    dk=0  n=1000  d=1 */
        times   1000
.Lpush: pushq   %rbp
        movq    %rsp, %rbp
        subq    $16, %rsp
.Llocal: movq   %rcx, -8(%rbp)
.Luse:  movq    -8(%rbp), %rax
.Lleave: leave
        again

/* kernel: hidden-cases */
/* Cases of a switch that only an indirect jump reaches: one after padding, and
   one that the case before it, which never comes, would run into. */
/* expect: padded -> padded  dk=1  n=499  d=18 */
/* expect: unused -> unused  dk=1  n=0 */
/* expect: inner  -> inner   dk=1  n=499  d=18 */
        movl    $1000, %ebx
        leaq    offsets(%rip), %rdx
.Lloop: movl    %ebx, %eax
        andl    $1, %eax
        movslq  (%rdx,%rax,4), %rax
        addq    %rdx, %rax
        jmp     *%rax
        .p2align 5
.Lpadded: addq  $1, first(%rip)
        jmp     .Lnext
        .p2align 5
.Lunused: addq  $1, second(%rip)
.Linner: addq   $1, third(%rip)
        jmp     .Lnext
        .p2align 5
.Lnext: decl    %ebx
        jnz     .Lloop
        exit

        .section .rodata
offsets: .long  .Lpadded - offsets, .Linner - offsets
        .bss
first:  .skip   8
second: .skip   8
third:  .skip   8

/* kernel: indirect-call */
/* A call and a jump through memory load where they go. */
/* expect: store  -> call    dk=0  n=1000  d=2 */
/* expect: target -> jump    dk=-  n=1000  d=2 */
/* expect: call   -> return  dk=-  n=1000  d=2 */
        leaq    .Lcallee(%rip), %rdx
        leaq    .Lreturn(%rip), %rsi
        times   1000
.Lstore: movq   %rdx, -64(%rsp)
.Ltarget: movq  %rsi, -72(%rsp)
.Lcall: call    *-64(%rsp)
        again
.Lcallee:
.Ljump: jmp     *-64(%rsp)
.Lreturn: ret

/* kernel: past-prefix */
/* A jump past a lock prefix leads into the instruction: both ways are code, and each has
   executions of its own.  The second loop knows the inner instruction first. */
/* oracle: off, because a segment does not say which of two ways its bytes are read */
/* expect: plain -> plain  dk=1  n=999  d=5 */
/* expect: locked -> locked  dk=1  n=3998  d=5 */
/* expect: plain -> locked  dk=-  n=2  d=9 */
/* expect: inner -> inner  dk=1  n=0 */
/* expect: inner -> outer  dk=-  n=200  d=3 */
/* expect: outer -> outer  dk=1  n=1600  d=3 */
/* expect: outer -> inner  dk=-  n=99  d=7 */
        movl    $1000, %ecx
        leaq    .Lsum(%rip), %rdi
        xorl    %esi, %esi
.Lloop: cmpl    $0, %esi
        je      .Lplain
.Llocked:
        lock
.Lplain:
        incl    (%rdi)
        decl    %ecx
        jnz     .Lloop
        movl    $2000, %ecx
        incl    %esi
        cmpl    $2, %esi
        jb      .Lloop

        leaq    .Lother(%rip), %rdi
        movl    $100, %edx
.Lrun:  movl    $10, %ecx
        jmp     .Linner
.Louter:
        lock
.Linner:
        incl    (%rdi)
        decl    %ecx
        jnz     .Louter
        decl    %edx
        jnz     .Lrun
        exit

        .bss
        .balign 8
.Lsum:  .skip   4
        .balign 8
.Lother:
        .skip   4

/* kernel: push-memory */
/* push and pop with an operand in memory load and store each; pop computes its
   operand's address with the stack pointer that it leaves. */
/* expect: store -> push     dk=0  n=1000  d=1 */
/* expect: push  -> pop      dk=0  n=1000  d=1 */
/* expect: pop   -> load     dk=0  n=1000  d=1 */
/* expect: flags -> unflags  dk=0  n=1000  d=1 */
/* expect: short -> unshort  dk=0  n=1000  d=1 */
        times   1000
.Lstore: movq   %rcx, -64(%rsp)
.Lpush: pushq   -64(%rsp)
.Lpop:  popq    -72(%rsp)
.Lload: movq    -72(%rsp), %rax
.Lflags: pushfq
.Lunflags: popfq
.Lshort: pushw  %cx
.Lunshort: popw %ax
        again

/* kernel: push-pop */
/* push stores through the stack pointer, pop loads through it; two in a row
   come back in the opposite order. */
/* expect: push1 -> pop1  dk=0  n=1000  d=3 */
/* expect: push2 -> pop2  dk=0  n=1000  d=1 */
        times   1000
.Lpush1: pushq  %rcx
.Lpush2: pushq  $7
.Lpop2: popq    %rax
.Lpop1: popq    %rax
        again

/* kernel: ret-pops */
/* A callee that loads its argument, and pops it as it returns. */
/* expect: push -> argument  dk=-  n=1000  d=2 */
/* expect: call -> return    dk=-  n=1000  d=2 */
        times   1000
.Lpush: pushq   %rcx
.Lcall: call    .Lcallee
        again
.Lcallee:
.Largument: movq 8(%rsp), %rax
.Lreturn: ret   $8

/* kernel: short-trips */
/* A loop that never runs long enough: the block alone promises a dependency
   over two iterations, but each visit runs only two of them.  This is what
   precision measures. */
/* expect: store -> load  dk=2  n=0 */
        movl    $1000, %ecx
        leaq    .Lelements+16(%rip), %rdi
.Louter:
        movl    $2, %edx
        movq    %rdi, %rsi
.Linner:
.Lload: movq    -16(%rsi), %rax
.Lstore: movq   %rax, (%rsi)
        addq    $8, %rsi
        decl    %edx
        jnz     .Linner
        addq    $64, %rdi
        decl    %ecx
        jnz     .Louter
        exit
        bss     .Lelements, 16+64*1000, 8

/* kernel: self-modifying */
/* Code that is changed each time before it runs.  Its bytes are stored and
   fetched, and a fetch is no load; what it computes says where the load is. */
/* expect: store -> load  dk=-  n=1000  d=5 */
        movl    $9, %eax                # mmap(0, 4096, RWX, anonymous)
        xorl    %edi, %edi
        movl    $4096, %esi
        movl    $7, %edx
        movl    $0x22, %r10d
        movl    $-1, %r8d
        xorl    %r9d, %r9d
        syscall
        movq    %rax, %rdi
        movq    .Lcode(%rip), %rax
        movq    %rax, (%rdi)
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lback(%rip), %r9
        times   1000
        movl    %ecx, %edx
        andl    $63, %edx
.Lstore: movq   %rcx, (%rsi,%rdx,8)
        movl    %edx, 1(%rdi)           # the constant
        jmp     *%rdi
.Lback:
.Lload: movq    (%rsi,%rax,8), %rax
        again

        .section .rodata
.Lcode: .byte   0xb8, 0, 0, 0, 0        # movl $..., %eax
        .byte   0x41, 0xff, 0xe1        # jmp *%r9
        bss     .Lbuffer, 1024

/* kernel: system-call */
/* getrandom writes the low half of the buffer: that half has no writer then,
   and the other half keeps the store. */
/* expect: store -> high  dk=-  n=1000  d=7 */
        times   1000, %ebx
.Lstore: movq   %rbx, -8(%rsp)
        leaq    -8(%rsp), %rdi
        movl    $4, %esi
        xorl    %edx, %edx
        movl    $318, %eax              # getrandom(buffer, 4, 0)
        syscall
        movl    -8(%rsp), %eax
.Lhigh: movl    -4(%rsp), %eax
        again   %ebx

/* kernel: spill */
/* A loop counter that lives in a stack slot: loaded and stored each time. */
/* expect: spill -> fill  dk=0  n=1000  d=2 */
        subq    $32, %rsp
        times   1000
.Lspill: movq   %rcx, 24(%rsp)
        xorl    %ecx, %ecx
.Lfill: movq    24(%rsp), %rcx
        again
