/* A call is cut short, as it takes too long: what it stored until then is not
   what its end leaves there. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: first -> load  no  whole=yes */
/* expect: before -> within  yes */
/* expect: first -> within  yes */

        .globl  f
        .type   f, @function
f:      movq    %rdi, %rbx
.Lbefore: movq  $1, 8(%rbx)
        call    long
.Lload: movq    (%rbx), %rax
        ret
        .size   f, . - f

/* 2^40 rounds that are not alike. */
        .type   long, @function
long:
.Lfirst: movq   $2, (%rdi)
.Lwithin: movdqu (%rdi), %xmm0
        movabsq $0x10000000000, %rcx
        movq    $1, %rax
1:      imulq   $5, %rax, %rax
        addq    $1, %rax
        decq    %rcx
        jne     1b
        movq    %rax, (%rdi)
        ret
        .size   long, . - long
