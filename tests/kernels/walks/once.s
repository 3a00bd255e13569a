/* What was decided by force once is decided the next time: the number is zero, or
   it is not. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: zero -> load  yes */
/* expect: other -> load  no  once=yes */

        .globl  f
        .type   f, @function
f:      nop
.Lzero: movq    $0, (%rdi)
        testq   %rsi, %rsi
        je      .Lnext
.Lother: movq   $1, (%rdi)
.Lnext: nop
        testq   %rsi, %rsi
        jne     .Lout
.Lload: movq    (%rdi), %rax
.Lout:  ret
        .size   f, . - f
