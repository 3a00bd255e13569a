/* The way that was taken less often is taken next, so few walks come everywhere. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: deep -> load  yes  steer=no */

        .globl  f
        .type   f, @function
f:      testb   %sil, %sil
        jne     .Lout
        testb   %dl, %dl
        jne     .Lout
        testb   %cl, %cl
        jne     .Lout
.Ldeep: movq    $1, (%rdi)
.Lload: movq    (%rdi), %rax
.Lout:  ret
        .size   f, . - f
