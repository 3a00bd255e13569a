/* A pointer in memory that nothing changes: each load of it gives the same
   address, whatever that is. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
        movq    .Lpointer(%rip), %rbx
.Lstore: movq   %rcx, (%rbx)
        movq    .Lpointer(%rip), %rsi
.Lload: movq    (%rsi), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .data
        .balign 8
.Lpointer: .quad .Ltarget
.Ltarget: .quad 0
