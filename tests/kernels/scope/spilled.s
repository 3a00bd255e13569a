/* A pointer that the block saves, and that another one loads and moves: only
   the block's own loads make dependencies, but what others load counts. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  block=-  loop=1  n=9 */
/* expect: same -> same  block=1  loop=-  n=0 */

        .globl  _start
_start: movl    $10, %ebx
        xorl    %edx, %edx
        leaq    array(%rip), %rdi
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 8(%rdi)
.Lsame: addq    $1, 256(%rdi)
        movq    %rdi, -8(%rsp)
        testl   %edx, %edx
        jnz     .Lend
        movq    -8(%rsp), %rdi
        addq    $8, %rdi
        decl    %ebx
        jnz     .Lload

.Lend:  movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
array:  .zero   8 * 64
