/* Where no walk from the entry comes, some start. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  yes  middle=no */

        .globl  f
        .type   f, @function
f:      jmp     f
.Lstore: movq   $1, (%rdi)
.Lload: movq    (%rdi), %rax
        ret
        .size   f, . - f
