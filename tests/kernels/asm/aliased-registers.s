/* Two registers hold the same address.  Nothing in the block says so: the
   method misses the dependency. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=?  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lcell(%rip), %rsi
        movq    %rsi, %rdi
.Lloop:
.Lstore: movq   %rcx, (%rdi)
.Lload: movq    (%rsi), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lcell: .skip   8
