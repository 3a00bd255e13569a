/* A load faults in the middle of a block: what stands before it has been
   executed once, the load not at all, and the handler goes on behind it.  The
   context that it changes is written anew by the kernel each time. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because signals are beyond it */
/* expect: store -> load    dk=0  n=100  d=8 */
/* expect: count -> count   dk=1  n=99   d=11 */
/* expect: skip  -> skip    dk=1  n=0 */

        .globl  _start
_start: movl    $13, %eax               # rt_sigaction(SIGSEGV, &action, 0, 8)
        movl    $11, %edi
        leaq    .Laction(%rip), %rsi
        xorl    %edx, %edx
        movl    $8, %r10d
        syscall
        movl    $100, %ebx
.Lloop:
.Lstore: movl   %ebx, -256(%rsp)
        nop
        movl    0, %eax                 # faults
        nop
.Lload: movl    -256(%rsp), %eax
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lhandler:                              # (signal, info, context)
.Lcount: incl   .Lcalls(%rip)
.Lskip: addq    $7, 168(%rdx)           # the context's instruction pointer
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
