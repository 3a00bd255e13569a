/* A ring buffer of eight, indexed through a mask: the next slot holds what
   was stored seven iterations ago. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=7  n=993  d=67 */

        .globl  _start
_start: xorl    %ecx, %ecx
        leaq    .Lring(%rip), %rdi
.Lloop:
        movl    %ecx, %edx
        andl    $7, %edx
.Lstore: movq   %rcx, (%rdi,%rdx,8)
        incl    %ecx
        movl    %ecx, %edx
        andl    $7, %edx
.Lload: movq    (%rdi,%rdx,8), %rax
        cmpl    $1000, %ecx
        jne     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lring: .skip   8 * 8
