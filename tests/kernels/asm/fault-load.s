/* A load that reads what was stored, and faults in every eighth iteration: it
   has happened only when it did not fault. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because signals are beyond it */
/* expect: store -> load    dk=0  n=17500  d=4 */
/* expect: store -> last    dk=0  n=20000  d=6..10 */
/* expect: count -> count   dk=1  n=2499   d=76 */
/* expect: skip  -> skip    dk=1  n=0 */

        .globl  _start
_start: movl    $13, %eax               # rt_sigaction(SIGSEGV, &action, 0, 8)
        movl    $11, %edi
        leaq    .Laction(%rip), %rsi
        xorl    %edx, %edx
        movl    $8, %r10d
        syscall
        movl    $20000, %ebx
        xorl    %r12d, %r12d
.Lloop:
.Lstore: movl   %ebx, .Lcell(%rip)
        leaq    .Lcell(%rip), %rsi
        testb   $7, %bl
        cmovzq  %r12, %rsi
.Lload: movl    (%rsi), %edx            # faults if %rsi is 0
        nop
.Llast: movl    .Lcell(%rip), %eax
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lhandler:                              # (signal, info, context)
.Lcount: incl   .Lcalls(%rip)
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
.Lcalls: .long  0
.Lcell: .long   0
