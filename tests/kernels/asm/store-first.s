/* The store comes before the loads of earlier elements in the body. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> near  dk=1  n=999  d=7 */
/* expect: store -> far   dk=3  n=997  d=20 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+24(%rip), %rdi
.Lloop:
.Lstore: movq   %rcx, (%rdi)
.Lnear: movq    -8(%rdi), %rax
.Lfar:  movq    -24(%rdi), %rdx
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 8 * 1003
