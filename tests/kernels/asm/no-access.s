/* Operands that name memory and do not access it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: nothing */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
        movq    %rcx, -8(%rsp)
        leaq    -8(%rsp), %rax
        nopw    -8(%rsp)
        prefetcht0 -8(%rsp)
        prefetchnta -8(%rsp)
        clflush -8(%rsp)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
