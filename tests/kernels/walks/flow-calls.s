/* As flow, but callees store or load: where an argument points to, where something lies
   that it points to, on the caller's stack, and in a variable, two calls below. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: given -> taken  yes  flow=no */
/* expect: set -> get  yes  flow=no */
/* expect: set -> frame_get  yes  flow=no */
/* expect: set -> other_get  no */
/* expect: deep -> variable  yes  flow=no */
/* expect: far -> near  yes  flow=no */
/* expect: old -> last_get  no */
/* expect: new -> last_get  yes  flow=no */
/* expect: set -> again  yes  flow=no */

        .macro  maybe
        addq    $1, %rsi
        cmpb    $7, (%rsi)
        jne     .Lout
        .endm

        .globl  f
        .type   f, @function
f:      pushq   %rbx
        subq    $48, %rsp
        movq    %rdi, %rbx
        maybe
        maybe
        maybe
        maybe
        maybe
        maybe
        maybe
        maybe
        maybe
        maybe
        maybe
        maybe
.Lgiven:
        movq    $1, 8(%rdi)
        call    g
.Lget:  movq    16(%rbx), %rax
.Lnew:  movq    $5, 32(%rbx)
.Llast_get:
        movq    32(%rbx), %rax
        leaq    8(%rsp), %rdi
        call    g
.Lframe_get:
        movq    24(%rsp), %rax
.Lother_get:
        movq    32(%rsp), %rax
        leaq    8(%rbx), %rdi
        call    k
        movq    24(%rbx), %rax
.Lnear: movq    (%rax), %rax
.Lvariable:
        movl    v(%rip), %eax
.Lout:  addq    $48, %rsp
        popq    %rbx
        ret
        .size   f, . - f

        .type   g, @function
g:
.Ltaken:
        movq    8(%rdi), %rax
.Lset:  movq    $2, 16(%rdi)
.Lold:  movq    $3, 32(%rdi)
        ret
        .size   g, . - g

        .type   h, @function
h:      movq    24(%rdi), %rax
.Lfar:  movq    $4, (%rax)
.Ldeep: movl    $5, v(%rip)
        ret
        .size   h, . - h

        .type   k, @function
k:
.Lagain:
        movq    8(%rdi), %rax
        subq    $8, %rdi
        call    h
        ret
        .size   k, . - k

        .bss
v:      .zero   4
