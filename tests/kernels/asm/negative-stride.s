/* A pointer that walks down. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1  n=999  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lend(%rip), %rdi
.Lloop:
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rcx, -8(%rdi)
        subq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
        .skip   8 * 1000
.Lend:  .skip   8
