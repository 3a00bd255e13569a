/* Code that is changed each time before it runs.  Its bytes are stored and fetched, and
   a fetch is no load; what it computes says where the load is. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=-  n=1000  d=11 */

        .globl  _start
_start: mov     x8, #222                // mmap(0, 4096, RWX, anonymous)
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
.Lstore: str     x9, [x12, x1, lsl #3]
        orr     w2, w11, w1, lsl #5     // the constant
        str     w2, [x10]
        dc      cvau, x10
        dsb     ish
        ic      ivau, x10
        dsb     ish
        isb
        blr     x10
.Lload: ldr     x3, [x12, x0, lsl #3]
        subs    x9, x9, #1
        b.ne    .Lloop

        mov     x8, #94                 // exit_group(0)
        mov     x0, #0
        svc     #0

        .section .rodata
        .balign 8
.Lcode: mov     x0, #0
        ret
        .bss
        .balign 64
.Lbuffer: .skip 1024
