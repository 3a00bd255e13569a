/* What lies on the way takes room in the reorder buffer, so that what is five
   iterations away is too far, and what is two away is not. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: far -> load  block=5  loop=-  n=5 */
/* expect: store -> near  block=2  loop=2  n=8 */

        .globl  _start
_start: movl    $10, %ebx
        xorl    %edx, %edx
        leaq    array(%rip), %rdi
.Lload: movq    (%rdi), %rax
.Lfar:  movq    %rax, 40(%rdi)
.Lnear: movq    1024(%rdi), %rax
.Lstore: movq   %rax, 1040(%rdi)
        addq    $8, %rdi
        testl   %edx, %edx
        jnz     .Lend
        .rept   300
        addl    $1, %ecx
        .endr
        decl    %ebx
        jnz     .Lload

.Lend:  movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
array:  .zero   8 * 256
