/* A signal that the program sends to itself comes between the system call and the next
   instruction; its handler reads and writes what the program does. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because signals are beyond it */
/* expect: store -> get  dk=-  n=1000  d=8 */
/* expect: push -> pop  dk=0  n=2000  d=5 */
/* expect: put -> take  dk=-  n=1000  d=5 */
/* expect: store -> load  dk=-  n=1000  d=15 */

        .globl  _start
_start: mov     x8, #134                // rt_sigaction(SIGUSR1, &action, 0, 8)
        mov     x0, #10
        adrp    x1, .Laction
        add     x1, x1, :lo12:.Laction
        mov     x2, #0
        mov     x3, #8
        svc     #0
        mov     x8, #172                // getpid()
        svc     #0
        mov     x20, x0
        mov     x9, #1000
        adrp    x10, .Lcell
        add     x10, x10, :lo12:.Lcell
.Lloop:
.Lstore: str     x9, [x10]
        mov     x8, #129                // kill(pid, SIGUSR1)
        mov     x0, x20
        mov     x1, #10
        svc     #0
.Ltake: ldr     x12, [x10, #8]
.Lload: ldr     x13, [x10]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

.Lhandler:
.Lpush: stp     x29, x30, [sp, #-16]!
        adrp    x4, .Lcell
        add     x4, x4, :lo12:.Lcell
.Lget:  ldr     x5, [x4]
.Lput:  str     x5, [x4, #8]
.Lpop:  ldp     x29, x30, [sp], #16
        ret
.Lrestore:
        mov     x8, #139                // rt_sigreturn
        svc     #0

        .data
        .balign 64
.Laction: .quad .Lhandler
        .quad   0x04000000              // SA_RESTORER
        .quad   .Lrestore
        .quad   0
.Lcell: .quad   0, 0
