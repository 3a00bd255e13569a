/* A pointer that lives in memory and moves on each iteration: it is a
   dependency itself, and the accesses through it are found only by whoever
   follows its value through memory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: advance -> fetch  dk=1  n=999  d=3 */
/* expect: store   -> load   dk=1  n=999  d=5 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lfetch: movq   .Lpointer(%rip), %rbx
.Lload: movq    (%rbx), %rax
        addq    $8, %rbx
.Lstore: movq   %rcx, (%rbx)
.Ladvance: movq %rbx, .Lpointer(%rip)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .data
        .balign 8
.Lpointer: .quad .Lelements
        .bss
        .balign 8
.Lelements: .skip 8 * 1001
