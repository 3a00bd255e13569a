/* Walks come to a store and to a load of one place, but to the load only before: the
   second call of get lies behind twelve tests of unknown bytes.  So they say nothing
   against the pair.  They do against that of put, over which over stores always.  Far
   and last have some 350 instructions between them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: first -> get  yes */
/* expect: set -> get  yes  flow=no */
/* expect: far -> last  yes  flow=no */
/* expect: put -> have  no */
/* expect: over -> have  yes */

        .macro  maybe
        addq    $1, %rsi
        cmpb    $7, (%rsi)
        jne     .Lout
        .endm

        .globl  f
        .type   f, @function
f:      subq    $40, %rsp
        leaq    24(%rsp), %rdi
        call    put
        leaq    24(%rsp), %rdi
        call    over
        leaq    24(%rsp), %rdi
        call    have
.Lfar:  movq    $5, 16(%rsp)
.Lfirst:
        movq    $1, 8(%rsp)
        leaq    8(%rsp), %rdi
        call    get
        leaq    8(%rsp), %rdi
        call    set
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
        leaq    8(%rsp), %rdi
        call    get
        .rept   300
        nop
        .endr
.Llast: movq    16(%rsp), %rax
.Lout:  addq    $40, %rsp
        ret
        .size   f, . - f

        .type   get, @function
get:
.Lget:  movq    (%rdi), %rax
        ret
        .size   get, . - get

        .type   set, @function
set:
.Lset:  movq    $2, (%rdi)
        ret
        .size   set, . - set

        .type   put, @function
put:
.Lput:  movq    $3, (%rdi)
        ret
        .size   put, . - put

        .type   over, @function
over:
.Lover: movq    $4, (%rdi)
        ret
        .size   over, . - over

        .type   have, @function
have:
.Lhave: movq    (%rdi), %rax
        ret
        .size   have, . - have
