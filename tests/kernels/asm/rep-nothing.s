/* rep with a count of zero does nothing: the load is of what was stored before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0  n=1000  d=4 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
        leaq    .Lbuffer(%rip), %rdi
.Lstore: movq   %rbx, (%rdi)
        xorl    %ecx, %ecx
        rep stosq
        nop
.Lload: movq    (%rdi), %rdx
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 64
