/* A loop that runs often and faults in every eighth iteration: what stands before the
   faulting load counts each time, what stands after it only when it is reached, there
   or where the handler goes on. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because signals are beyond it */
/* expect: store -> first  dk=0  n=20000  d=3 */
/* expect: store -> last  dk=0  n=20000  d=5..15 */
/* expect: write -> read  dk=1  n=2499  d=72 */
/* expect: new -> old  dk=1  n=0 */

        .globl  _start
_start: mov     x8, #134                // rt_sigaction(SIGSEGV, &action, 0, 8)
        mov     x0, #11
        adrp    x1, .Laction
        add     x1, x1, :lo12:.Laction
        mov     x2, #0
        mov     x3, #8
        svc     #0
        mov     x9, #20000
        adrp    x10, .Lcell
        add     x10, x10, :lo12:.Lcell
        mov     x11, #0
        adrp    x12, .Lconstant
        add     x12, x12, :lo12:.Lconstant
.Lloop:
.Lstore: str     x9, [x10]
        tst     x9, #7
        csel    x3, x11, x12, eq
.Lfirst: ldr     x4, [x10]
        ldr     x5, [x3]                // faults if x3 is 0
.Llast: ldr     x6, [x10]
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
.Lconstant: .quad 1
