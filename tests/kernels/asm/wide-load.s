/* A wide load covers what one instruction stored in two iterations: two
   values of dk, but one occurrence, with the smaller distance. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1,2  n=999  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+16(%rip), %rdi
.Lloop:
.Lload: movups  -16(%rdi), %xmm0
.Lstore: movq   %rcx, (%rdi)
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lelements: .skip 8 * 1002
