/* An end pointer has the same base as the pointer that moves to it: the loop
   over two elements does not touch the third. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: behind -> load  yes */
/* expect: inside -> load  no  identity=yes */

        .globl  f
        .type   f, @function
f:      leaq    16(%rdi), %rax
        movq    %rdi, %rcx
.Lbehind: movq  $0, 16(%rdi)
.Linside: movq  $1, (%rcx)
        addq    $8, %rcx
        cmpq    %rax, %rcx
        jne     .Linside
.Lload: movq    16(%rdi), %rax
        ret
        .size   f, . - f
