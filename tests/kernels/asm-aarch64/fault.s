/* A load faults in the middle of a block: what stands before it has been executed
   once, the load not at all, and the handler goes on after it.  The context that the
   handler changes is written anew by the kernel each time. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because signals are beyond it */
/* expect: store -> load  dk=0  n=100  d=14 */
/* expect: write -> read  dk=1  n=99  d=15 */
/* expect: new -> old  dk=1  n=0 */

        .globl  _start
_start: mov     x8, #134                // rt_sigaction(SIGSEGV, &action, 0, 8)
        mov     x0, #11
        adrp    x1, .Laction
        add     x1, x1, :lo12:.Laction
        mov     x2, #0
        mov     x3, #8
        svc     #0
        mov     x9, #100
        adrp    x10, .Lcell
        add     x10, x10, :lo12:.Lcell
        mov     x11, #0
.Lloop:
.Lstore: str     x9, [x10]
        nop
        ldr     x12, [x11]              // faults
        nop
.Lload: ldr     x13, [x10]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

.Lhandler:                              // (signal, info, context)
        adrp    x4, .Lcalls
        add     x4, x4, :lo12:.Lcalls
.Lread: ldr     x5, [x4]
        add     x5, x5, #1
.Lwrite: str     x5, [x4]
.Lold:  ldr     x5, [x2, #440]          // the context's instruction pointer
        add     x5, x5, #4
.Lnew:  str     x5, [x2, #440]
        ret
.Lrestore:
        mov     x8, #139                // rt_sigreturn
        svc     #0

        .data
        .balign 64
.Laction: .quad .Lhandler
        .quad   0x04000004              // SA_RESTORER | SA_SIGINFO
        .quad   .Lrestore
        .quad   0
.Lcalls: .quad  0
.Lcell: .quad   0
