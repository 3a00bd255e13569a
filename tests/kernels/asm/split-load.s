/* A load that lies half in what this iteration stored and half in what the one
   before did depends twice on the same store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0,1  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+8(%rip), %rdi
.Lloop:
.Lstore: movq   %rcx, (%rdi)
.Lload: movq    -4(%rdi), %rax
        addq    $8, %rdi
        nop
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 8 * 1001
