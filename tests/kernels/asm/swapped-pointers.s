/* Two pointers are swapped each iteration: what is stored through one is
   loaded through the other, the next time. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=1  n=999  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lone(%rip), %rsi
        leaq    .Lother(%rip), %rdi
.Lloop:
.Lload: movq    (%rsi), %rax
.Lstore: movq   %rcx, (%rdi)
        xchgq   %rsi, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lone:  .skip   8
.Lother: .skip  8
