/* Both pointers advance by the same register, so the load stays two strides
   behind the store, whatever the stride is. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=2  n=998  d=15 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements(%rip), %rdi
        movl    $24, %esi
        addq    %rsi, %rdi
        addq    %rsi, %rdi
.Lloop:
        movq    %rdi, %rax
        subq    %rsi, %rax
        subq    %rsi, %rax
.Lload: movq    (%rax), %rdx
.Lstore: movq   %rcx, (%rdi)
        addq    %rsi, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 24 * 1002
