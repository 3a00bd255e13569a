/* Vector registers that are cleared and then written in part: by loads, by
   conversions, and across a load that faults in every eighth iteration, whose
   handler skips it.  What is above the part is zero, since it is the index of a
   load. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because signals are beyond it */
/* expect: store -> double  dk=0  n=20000  d=6 */
/* expect: store -> single  dk=0  n=20000  d=11 */
/* expect: store -> number  dk=0  n=20000  d=18..21 */
/* expect: skip  -> skip    dk=1  n=0 */

        .globl  _start
_start: movl    $13, %eax               # rt_sigaction(SIGSEGV, &action, 0, 8)
        movl    $11, %edi
        leaq    .Laction(%rip), %rsi
        xorl    %edx, %edx
        movl    $8, %r10d
        syscall
        movl    $20000, %ebx
        leaq    .Lcell(%rip), %rdi
        xorl    %r12d, %r12d
.Lloop:
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
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lhandler:                              # (signal, info, context)
.Lskip: addq    $2, 168(%rdx)           # the context's instruction pointer
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
.Lconstant: .quad 1
        .quad   0
.Lcell: .quad   0
