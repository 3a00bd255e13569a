/* What a function would read of its last call does not count if those that call it
   write that anew in between; but it does if nobody calls it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: restore -> first  yes */
/* expect: put -> first  no */
/* expect: kept -> kept  yes  again=no */

        .globl  f
        .type   f, @function
f:      pushq   %rbx
        pushq   %rbp
        movq    %rdi, %rbp
        movl    $3, %ebx
.Lround: movq   %rbp, %rdi
.Lrestore: movq $1, (%rbp)
        callq   g
        subl    $1, %ebx
        jnz     .Lround
        popq    %rbp
        popq    %rbx
        ret
        .size   f, . - f

        .type   g, @function
g:      nop
.Lfirst: movq   (%rdi), %rax
.Lput:  movq    %rax, (%rdi)
        ret
        .size   g, . - g

        .globl  h
        .type   h, @function
h:      nop
.Lkept: addq    $1, (%rdi)
        ret
        .size   h, . - h
