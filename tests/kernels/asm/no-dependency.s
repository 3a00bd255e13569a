/* One array is read and another written: no dependency at all. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: nothing */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lfrom(%rip), %rsi
        leaq    .Lto(%rip), %rdi
.Lloop:
        movq    (%rsi), %rax
        movq    %rax, (%rdi)
        addq    $8, %rsi
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lfrom: .skip   8 * 1000
.Lto:   .skip   8 * 1000
