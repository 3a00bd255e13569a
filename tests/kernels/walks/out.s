/* A call that is not walked may write where its arguments point to. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: kept -> read  yes */
/* expect: store -> load  no  out=yes */

        .globl  f
        .type   f, @function
f:      subq    $40, %rsp
.Lstore: movq   $1, 8(%rsp)
.Lkept: movq    $1, 24(%rsp)
        leaq    8(%rsp), %rdi
        call    *%rax
.Lload: movq    8(%rsp), %rax
.Lread: movq    24(%rsp), %rcx
        addq    $40, %rsp
        ret
        .size   f, . - f
