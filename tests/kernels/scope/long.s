/* A block as long as the reorder buffer is repeated twice: the first time must
   find in its registers what the second one finds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: add -> add  block=1  loop=1  n=9 */
/* expect: other -> other  block=-  loop=1  n=9 */

        .globl  _start
_start: movl    $10, %ebx
        xorl    %edx, %edx
        leaq    second(%rip), %rdi
.Ladd:  addq    $1, first(%rip)
.Lother: addq   $1, (%rdi)
        .rept   600
        addl    $1, %edi
        .endr
        testl   %edx, %edx
        jnz     .Lend
        leaq    second(%rip), %rdi
        decl    %ebx
        jnz     .Ladd

.Lend:  movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
first:  .zero   8
second: .zero   8
