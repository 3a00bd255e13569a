/* A 32-bit index, sign-extended as compilers do for `int i`. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1  n=999  d=5 */

        .globl  _start
_start: movl    $-500, %ecx
        leaq    .Lmiddle(%rip), %rdi
.Lloop:
        movslq  %ecx, %rdx
.Lload: movq    -8(%rdi,%rdx,8), %rax
.Lstore: movq   %rcx, (%rdi,%rdx,8)
        incl    %ecx
        cmpl    $500, %ecx
        jne     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
        .skip   8 * 501
.Lmiddle: .skip 8 * 500
