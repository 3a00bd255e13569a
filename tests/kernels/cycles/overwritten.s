/* Two stores of the same width give the load its bytes, now the one and now the
   other: each forward is one of all bytes, and does not fail.  On the way around the
   loop it is always the second one, which waits for nothing. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: function */
/* registers: 1 */
/* memory: 1 */

        .globl  f
        .type   f, @function
f:      movl    $20, %r8d
.Lput:  movq    %rax, (%rdi)
        cmpq    $5, (%rsi)
        je      .Lskip
        movq    %rcx, (%rdi)
.Lskip: addq    $8, %rsi
.Lget:  movq    (%rdi), %rax
.Linc:  addq    $1, %rax
        decl    %r8d
        jne     .Lput
        ret
        .size   f, . - f
