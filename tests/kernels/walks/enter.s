/* A call is entered. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  yes  enter=no */
/* expect: other -> back  no */

        .globl  f
        .type   f, @function
f:      nop
.Lother: movq   $0, (%rdi)
        call    g
.Lload: movq    (%rdi), %rax
        leaq    64(%rdi), %rdi
.Lback: movq    (%rdi), %rax
        ret

        .type   g, @function
g:      nop
.Lstore: movq   $1, (%rdi)
        ret
        .size   g, . - g
        .size   f, . - f
