/* A loop that never runs long enough: the block alone promises a dependency
   over two iterations, but each visit runs only two of them.  This is what
   precision measures. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=2  n=0 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+16(%rip), %rdi
.Louter:
        movl    $2, %edx
        movq    %rdi, %rsi
.Linner:
.Lload: movq    -16(%rsi), %rax
.Lstore: movq   %rax, (%rsi)
        addq    $8, %rsi
        decl    %edx
        jnz     .Linner
        addq    $64, %rdi
        decl    %ecx
        jnz     .Louter

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lelements: .skip 16 + 64 * 1000
