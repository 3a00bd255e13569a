/* Addresses agree because sums wrap: at 32 bits, where a large number is added
   for a small one subtracted, and at 64 bits. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> narrow  dk=1  n=999  d=6 */
/* expect: store -> wide    dk=1  n=999  d=10 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+16(%rip), %rdi
        movl    $1, %esi
.Lloop:
        movl    %esi, %eax
        addl    $0xffffffff, %eax
.Lnarrow: movq  (%rdi,%rax,8), %rdx
        movabsq $0x8000000000000000, %r8
        leaq    -8(%rdi,%r8), %rax
        leaq    (%rax,%rsi,8), %rax
.Lwide: movq    (%rax,%r8), %rdx
.Lstore: movq   %rcx, (%rdi,%rsi,8)
        incl    %esi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 8 * 1004
