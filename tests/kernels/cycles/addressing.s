/* Each element from the one before, which is stored by a pointer and loaded by an
   index: two ways to say the same address (OSACA's open issue 42). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: function */
/* registers: 1 */
/* memory: 6 */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:      movl    $1, %eax
        leaq    8(%rdi), %rdx
.Lload: movq    -8(%rdi,%rax,8), %rcx
.Ladd:  addq    %r8, %rcx
.Lstore: movq   %rcx, (%rdx)
        addq    $8, %rdx
        addq    $1, %rax
        cmpq    %rsi, %rax
        jne     .Lload
        ret
        .size   f, . - f
