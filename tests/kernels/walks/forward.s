/* A long loop is wound forward.  It takes more instructions than a walk has. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  yes  forward=no */
/* expect: count -> last  yes  forward=no */

        .globl  f
        .type   f, @function
f:      movl    $1000000, %ecx
        movq    %rdi, %rdx
.Lstore: movq   $1, (%rdi)
.Lcount: movq   %rcx, 8(%rdx)
        addq    $8, %rdx
        subl    $1, %ecx
        jnz     .Lcount
.Lload: movq    (%rdi), %rax
.Llast: movq    (%rdx), %rax
        ret
        .size   f, . - f
