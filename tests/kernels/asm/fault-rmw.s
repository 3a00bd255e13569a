/* An instruction that reads and writes runs often, and in every eighth iteration
   its store faults, because the page is locked by then: its load has happened
   all the same. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because signals are beyond it */
/* expect: init  -> rmw     dk=-  n=2500   d=18..129966 */
/* expect: rmw   -> rmw     dk=?  n=17499  d=6..16 */
/* expect: count -> count   dk=1  n=2499   d=52 */
/* expect: skip  -> skip    dk=1  n=0 */

        .globl  _start
_start:
.Linit: movl    $1, .Llocked(%rip)
        movl    $10, %eax               # mprotect(&locked, 4096, PROT_READ)
        leaq    .Llocked(%rip), %rdi
        movl    $4096, %esi
        movl    $1, %edx
        syscall
        movl    $13, %eax               # rt_sigaction(SIGSEGV, &action, 0, 8)
        movl    $11, %edi
        leaq    .Laction(%rip), %rsi
        xorl    %edx, %edx
        movl    $8, %r10d
        syscall
        movl    $20000, %ebx
        leaq    .Llocked(%rip), %r12
        nop
.Lloop: leaq    .Lcell(%rip), %rsi
        testb   $7, %bl
        cmovzq  %r12, %rsi
.Lrmw:  addl    $1, (%rsi)              # its store faults if %rsi is %r12
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lhandler:                              # (signal, info, context)
.Lcount: incl   .Lcalls(%rip)
.Lskip: addq    $3, 168(%rdx)           # the context's instruction pointer
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
.Lcalls: .long  0
.Lcell: .long   0
        .balign 4096
.Llocked: .long 0
        .balign 4096
