/* What the rounds store that are skipped when a loop is wound forward. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> middle  yes */
/* expect: old -> middle  no */
/* expect: kept -> stays  yes */

        .globl  f
        .type   f, @function
f:      movl    $1000, %ecx
        movq    %rdi, %rdx
        nop
.Lold:  movq    $1, 4000(%rdi)
.Lloop: nop
.Lstore: movq   %rcx, (%rdx)
.Lkept: movq    %rcx, -8(%rdi)
        addq    $8, %rdx
        subl    $1, %ecx
        jnz     .Lloop
.Lmiddle: movq  4000(%rdi), %rax
.Lstays: movq   -8(%rdi), %rax
        ret
        .size   f, . - f
