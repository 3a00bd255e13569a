/* A pointer into the frame lies in the frame, too.  Walks that start after the tests come
   to the store and to the load, but do not know that pointer, and so say nothing against
   the pair; no other walk comes to them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> get  yes  flow=no */

        .macro  maybe
        addq    $1, %rsi
        cmpb    $7, (%rsi)
        jne     .Lout
        .endm

        .globl  f
        .type   f, @function
f:      subq    $56, %rsp
        leaq    8(%rsp), %rax
        movq    %rax, 32(%rsp)
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
        maybe
        maybe
        maybe
        maybe
.Lset:  movq    $2, 8(%rsp)
        jmp     1f
1:      movq    32(%rsp), %rdi
.Lget:  movq    (%rdi), %rax
.Lout:  addq    $56, %rsp
        ret
        .size   f, . - f
