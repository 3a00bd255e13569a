/* Two arrays that swap their parts after each run: the outer loop carries what is
   stored, though as many instructions lie in between as in two rounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: function */
/* registers: 1 */
/* memory: 1 */
/* link: step register 1 1 */

        .globl  f
        .type   f, @function
f:
.Lsweep: movl    $0, %eax
.Lload: movq    (%rsi,%rax,8), %rcx
.Ladd:  addq    $1, %rcx
.Lstore: movq   %rcx, (%rdi,%rax,8)
.Lstep: addq    $1, %rax
        cmpq    %r8, %rax
        jne     .Lload
        xchgq   %rsi, %rdi
        nop
        nop
        subq    $1, %rdx
        jne     .Lsweep
        ret
        .size   f, . - f
