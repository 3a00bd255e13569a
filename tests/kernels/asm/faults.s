/* Signals between instructions. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  catch
        movl    $13, %eax               # rt_sigaction(SIGSEGV, &action, 0, 8)
        movl    $11, %edi
        leaq    .Laction(%rip), %rsi
        xorl    %edx, %edx
        movl    $8, %r10d
        syscall
        .endm
        /* Skips the instruction that faulted, of so many bytes, and counts that. */
        .macro  handler bytes, is_counted=1
.Lhandler:                              # (signal, info, context)
        .if     \is_counted
.Lcount: incl   .Lcalls(%rip)
        .endif
.Lskip: addq    $\bytes, 168(%rdx)      # the context's instruction pointer
        ret
.Lrestore:
        movl    $15, %eax               # rt_sigreturn
        syscall
        .data
        .balign 8
.Laction: .quad .Lhandler
        .quad   0x04000004              # SA_RESTORER | SA_SIGINFO
        .quad   .Lrestore
        .quad   0
        .if     \is_counted
.Lcalls: .long  0
        .endif
        .endm

/* kernel: fault */
/* A load faults in the middle of a block: what stands before it has been
   executed once, the load not at all, and the handler goes on behind it.  The
   context that it changes is written anew by the kernel each time. */
/* oracle: off, because signals are beyond it */
/* expect: store -> load    dk=0  n=100  d=8 */
/* expect: count -> count   dk=1  n=99   d=11 */
/* expect: skip  -> skip    dk=1  n=0 */
        catch
        times   100, %ebx
.Lstore: movl   %ebx, -256(%rsp)
        nop
        movl    0, %eax                 # faults
        nop
.Lload: movl    -256(%rsp), %eax
        again   %ebx
        handler 7

/* kernel: fault-load */
/* A load that reads what was stored, and faults in every eighth iteration: it
   has happened only when it did not fault. */
/* oracle: off, because signals are beyond it */
/* expect: store -> load    dk=0  n=17500  d=4 */
/* expect: store -> last    dk=0  n=20000  d=6..10 */
/* expect: count -> count   dk=1  n=2499   d=76 */
/* expect: skip  -> skip    dk=1  n=0 */
        catch
        xorl    %r12d, %r12d
        times   20000, %ebx
.Lstore: movl   %ebx, .Lcell(%rip)
        leaq    .Lcell(%rip), %rsi
        testb   $7, %bl
        cmovzq  %r12, %rsi
.Lload: movl    (%rsi), %edx            # faults if %rsi is 0
        nop
.Llast: movl    .Lcell(%rip), %eax
        again   %ebx
        handler 2
.Lcell: .long   0

/* kernel: fault-often */
/* A loop that runs often and faults in every eighth iteration: what stands
   before the faulting load counts each time, what stands behind it only when
   it is reached, there or where the handler goes on. */
/* oracle: off, because signals are beyond it */
/* expect: store -> first   dk=0  n=20000  d=4 */
/* expect: store -> last    dk=0  n=20000  d=6..10 */
/* expect: count -> count   dk=1  n=2499   d=76 */
/* expect: skip  -> skip    dk=1  n=0 */
        catch
        xorl    %r12d, %r12d
        times   20000, %ebx
.Lstore: movl   %ebx, .Lcell(%rip)
        leaq    .Lconstant(%rip), %rsi
        testb   $7, %bl
        cmovzq  %r12, %rsi
.Lfirst: movl   .Lcell(%rip), %ecx
        movl    (%rsi), %edx            # faults if %rsi is 0
.Llast: movl    .Lcell(%rip), %eax
        again   %ebx
        handler 2
.Lcell: .long   0
.Lconstant: .long 1

/* kernel: fault-rmw */
/* An instruction that reads and writes runs often, and in every eighth iteration
   its store faults, because the page is locked by then: its load has happened
   all the same. */
/* oracle: off, because signals are beyond it */
/* expect: init  -> rmw     dk=-  n=2500   d=18..129966 */
/* expect: rmw   -> rmw     dk=?  n=17499  d=6..16 */
/* expect: count -> count   dk=1  n=2499   d=52 */
/* expect: skip  -> skip    dk=1  n=0 */
.Linit: movl    $1, .Llocked(%rip)
        movl    $10, %eax               # mprotect(&locked, 4096, PROT_READ)
        leaq    .Llocked(%rip), %rdi
        movl    $4096, %esi
        movl    $1, %edx
        syscall
        catch
        movl    $20000, %ebx
        leaq    .Llocked(%rip), %r12
        nop
.Lloop: leaq    .Lcell(%rip), %rsi
        testb   $7, %bl
        cmovzq  %r12, %rsi
.Lrmw:  addl    $1, (%rsi)              # its store faults if %rsi is %r12
        again   %ebx
        handler 3
.Lcell: .long   0
        .balign 4096
.Llocked: .long 0
        .balign 4096

/* kernel: vector-clears */
/* Vector registers that are cleared and then written in part: by loads, by
   conversions, and across a load that faults in every eighth iteration, whose
   handler skips it.  What is above the part is zero, since it is the index of a
   load. */
/* oracle: off, because signals are beyond it */
/* expect: store -> double  dk=0  n=20000  d=6 */
/* expect: store -> single  dk=0  n=20000  d=11 */
/* expect: store -> number  dk=0  n=20000  d=18..21 */
/* expect: skip  -> skip    dk=1  n=0 */
        catch
        leaq    .Lcell(%rip), %rdi
        xorl    %r12d, %r12d
        times   20000, %ebx
        leaq    .Lconstant(%rip), %rsi
        testb   $7, %bl
        cmovzq  %r12, %rsi
.Lstore: movq   %rbx, (%rdi)
        pcmpeqd %xmm0, %xmm0
        movsd   .Lconstant(%rip), %xmm0
        punpckhqdq %xmm0, %xmm0
        movq    %xmm0, %rax
        nop
.Ldouble: movq  (%rdi,%rax), %rcx
        pcmpeqd %xmm0, %xmm0
        movss   .Lconstant(%rip), %xmm0
        psrldq  $4, %xmm0
        movq    %xmm0, %rax
.Lsingle: movq  (%rdi,%rax), %rcx
        pcmpeqd %xmm0, %xmm0
        pxor    %xmm0, %xmm0
        movl    (%rsi), %edx            # faults if %rsi is 0
        cvtsi2sdl %ebx, %xmm0
        punpckhqdq %xmm0, %xmm0
        movq    %xmm0, %rax
.Lnumber: movq  (%rdi,%rax), %rcx
        again   %ebx
        handler 2, is_counted=0
.Lconstant: .quad 1
        .quad   0
.Lcell: .quad   0
