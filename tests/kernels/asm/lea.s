/* A pointer that lea computes and an address that the load computes itself are
   the same. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements(%rip), %rdi
        xorl    %esi, %esi
.Lloop:
        leaq    8(%rdi,%rsi,4), %rbx
.Lstore: movl   %ecx, (%rbx)
.Lload: movl    8(%rdi,%rsi,4), %eax
        incq    %rsi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lelements: .skip 8 + 4 * 1000
