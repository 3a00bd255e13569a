/* A block that follows itself is repeated alone: the loop around it changes
   nothing. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  block=1  loop=1  n=630 */

        .globl  _start
_start: movl    $10, %ebx
.Louter:
        leaq    array(%rip), %rdi
        movl    $64, %ecx
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 8(%rdi)
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lload
        decl    %ebx
        jnz     .Louter

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
array:  .zero   8 * 65
