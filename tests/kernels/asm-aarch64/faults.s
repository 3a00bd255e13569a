/* Signals, system calls and code that changes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  catch signal
        mov     x8, #134                // rt_sigaction(signal, &action, 0, 8)
        mov     x0, #\signal
        adrp    x1, .Laction
        add     x1, x1, :lo12:.Laction
        mov     x2, #0
        mov     x3, #8
        svc     #0
        .endm
        .macro  restorer flags
.Lrestore:
        mov     x8, #139                // rt_sigreturn
        svc     #0
        .data
        .balign 64
.Laction: .quad .Lhandler, \flags, .Lrestore, 0
        .endm
        /* A handler that counts its calls and skips the instruction that faulted. */
        .macro  skipper
.Lhandler:                              // (signal, info, context)
        adrp    x4, .Lcalls
        add     x4, x4, :lo12:.Lcalls
.Lread: ldr     x5, [x4]
        add     x5, x5, #1
.Lwrite: str    x5, [x4]
.Lold:  ldr     x5, [x2, #440]          // the context's instruction pointer
        add     x5, x5, #4
.Lnew:  str     x5, [x2, #440]
        ret
        restorer 0x04000004             // SA_RESTORER | SA_SIGINFO
.Lcalls: .quad  0
.Lcell: .quad   0
        .endm

/* kernel: fault */
/* A load faults in the middle of a block: what stands before it has been executed
   once, the load not at all, and the handler goes on after it.  The context that the
   handler changes is written anew by the kernel each time. */
/* oracle: off, because signals are beyond it */
/* expect: store -> load  dk=0  n=100  d=14 */
/* expect: write -> read  dk=1  n=99  d=15 */
/* expect: new -> old  dk=1  n=0 */
        catch   11                      // SIGSEGV
        mov     x9, #100
        adrp    x10, .Lcell
        add     x10, x10, :lo12:.Lcell
        mov     x11, #0
.Lloop:
.Lstore: str    x9, [x10]
        nop
        ldr     x12, [x11]              // faults
        nop
.Lload: ldr     x13, [x10]
        again
        skipper

/* kernel: fault-often */
/* A loop that runs often and faults in every eighth iteration: what stands before the
   faulting load counts each time, what stands after it only when it is reached, there
   or where the handler goes on. */
/* oracle: off, because signals are beyond it */
/* expect: store -> first  dk=0  n=20000  d=3 */
/* expect: store -> last  dk=0  n=20000  d=5..15 */
/* expect: write -> read  dk=1  n=2499  d=72 */
/* expect: new -> old  dk=1  n=0 */
        catch   11                      // SIGSEGV
        mov     x9, #20000
        adrp    x10, .Lcell
        add     x10, x10, :lo12:.Lcell
        mov     x11, #0
        adrp    x12, .Lconstant
        add     x12, x12, :lo12:.Lconstant
.Lloop:
.Lstore: str    x9, [x10]
        tst     x9, #7
        csel    x3, x11, x12, eq
.Lfirst: ldr    x4, [x10]
        ldr     x5, [x3]                // faults if x3 is 0
.Llast: ldr     x6, [x10]
        again
        skipper
.Lconstant: .quad 1

/* kernel: fault-zero */
/* A load into the zero register faults as any other, and is not executed then. */
/* oracle: off, because signals are beyond it */
/* expect: store -> load  dk=0  n=100  d=14 */
/* expect: write -> read  dk=1  n=99  d=15 */
/* expect: new -> old  dk=1  n=0 */
        catch   11                      // SIGSEGV
        mov     x9, #100
        adrp    x10, .Lcell
        add     x10, x10, :lo12:.Lcell
        mov     x11, #0
.Lloop:
.Lstore: str    x9, [x10]
        nop
        ldr     xzr, [x11]              // faults
        nop
.Lload: ldr     x13, [x10]
        again
        skipper

/* kernel: signal */
/* A signal that the program sends to itself comes between the system call and the next
   instruction; its handler reads and writes what the program does. */
/* oracle: off, because signals are beyond it */
/* expect: store -> get  dk=-  n=1000  d=8 */
/* expect: push -> pop  dk=0  n=2000  d=5 */
/* expect: put -> take  dk=-  n=1000  d=5 */
/* expect: store -> load  dk=-  n=1000  d=15 */
        catch   10                      // SIGUSR1
        mov     x8, #172                // getpid()
        svc     #0
        mov     x20, x0
        mov     x9, #1000
        adrp    x10, .Lcell
        add     x10, x10, :lo12:.Lcell
.Lloop:
.Lstore: str    x9, [x10]
        mov     x8, #129                // kill(pid, SIGUSR1)
        mov     x0, x20
        mov     x1, #10
        svc     #0
.Ltake: ldr     x12, [x10, #8]
.Lload: ldr     x13, [x10]
        again

.Lhandler:
.Lpush: stp     x29, x30, [sp, #-16]!
        adrp    x4, .Lcell
        add     x4, x4, :lo12:.Lcell
.Lget:  ldr     x5, [x4]
.Lput:  str     x5, [x4, #8]
.Lpop:  ldp     x29, x30, [sp], #16
        ret
        restorer 0x04000000             // SA_RESTORER
.Lcell: .quad   0, 0

/* kernel: self-modifying */
/* Code that is changed each time before it runs.  Its bytes are stored and fetched, and
   a fetch is no load; what it computes says where the load is. */
/* expect: store -> load  dk=-  n=1000  d=11 */
        mov     x8, #222                // mmap(0, 4096, RWX, anonymous)
        mov     x0, #0
        mov     x1, #4096
        mov     x2, #7
        mov     x3, #0x22
        mov     x4, #-1
        mov     x5, #0
        svc     #0
        mov     x10, x0
        adrp    x1, .Lcode
        add     x1, x1, :lo12:.Lcode
        ldp     w11, w2, [x1]
        str     w2, [x10, #4]
        adrp    x12, .Lbuffer
        add     x12, x12, :lo12:.Lbuffer
        mov     x9, #1000
.Lloop:
        and     x1, x9, #63
.Lstore: str    x9, [x12, x1, lsl #3]
        orr     w2, w11, w1, lsl #5     // the constant
        str     w2, [x10]
        dc      cvau, x10
        dsb     ish
        ic      ivau, x10
        dsb     ish
        isb
        blr     x10
.Lload: ldr     x3, [x12, x0, lsl #3]
        again

        .section .rodata
        .balign 8
.Lcode: mov     x0, #0
        ret
        bss     .Lbuffer, 1024

/* kernel: system-call */
/* What the kernel writes has no writer. */
/* expect: nothing */
        start
        mov     x10, x0
.Lloop:
.Lset:  str     x1, [x10]
        mov     x8, #113
        mov     x0, #1
        mov     x1, x10
        svc     #0
.Lget:  ldr     x2, [x10]
        again
