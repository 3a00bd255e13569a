/* A load reads what was stored the iteration before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1  n=999  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+8(%rip), %rdi
.Lloop:
.Lload: movq    -8(%rdi), %rax
.Lstore: movq   %rcx, (%rdi)
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lelements: .skip 8 * (1000 + 1)
