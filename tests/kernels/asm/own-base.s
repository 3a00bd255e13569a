/* A load overwrites the register that its address was made of: what is stored
   through it before is read, and what is behind it is elsewhere. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: link -> walk  dk=0  n=1000  d=1 */
/* expect: mark -> look  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements(%rip), %rdi
.Lloop:
        leaq    16(%rdi), %rax
.Llink: movq    %rax, (%rdi)
.Lwalk: movq    (%rdi), %rdi
.Lmark: movq    %rcx, 8(%rdi)
.Llook: movq    8(%rax), %rdx
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 16 * 1002
