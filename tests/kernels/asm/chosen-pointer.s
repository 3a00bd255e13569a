/* A conditional move chooses between two pointers, by flags that the block
   sets itself: the load is always from the first. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0  n=1000  d=6 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lone(%rip), %rsi
        leaq    .Lother(%rip), %rdi
.Lloop:
.Lstore: movq   %rcx, (%rsi)
.Laside: movq   %rcx, (%rdi)
        movl    $5, %edx
        cmpl    $7, %edx
        movq    %rdi, %rax
        cmovlq  %rsi, %rax
.Lload: movq    (%rax), %rbx
        addq    $16, %rsi
        addq    $16, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lone:  .skip   16000
.Lother: .skip  16000
