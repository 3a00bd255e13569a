/* A loop counter that lives in a stack slot: loaded and stored each time. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: spill -> fill  dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ecx
        subq    $32, %rsp
.Lloop:
.Lspill: movq   %rcx, 24(%rsp)
        xorl    %ecx, %ecx
.Lfill: movq    24(%rsp), %rcx
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
