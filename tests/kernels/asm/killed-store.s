/* A store that is overwritten before it is read has no reader. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: second -> load  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
        movq    $1, -8(%rsp)
.Lsecond: movq  %rcx, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
