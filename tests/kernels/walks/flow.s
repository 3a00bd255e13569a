/* Flow, which shows what no walk comes to, and calls through tables. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: flow */
/* The stores come after twelve tests of unknown bytes, so no walk comes to them.  What
   they leave on the stack, in a variable, or where an argument points to reaches its
   loads all the same, unless another store covers it, or the pointer changes. */
/* expect: frame -> frame_load  yes  flow=no */
/* expect: variable -> variable_load  yes  flow=no */
/* expect: field -> field_load  yes  flow=no */
/* expect: pointed -> pointed_load  yes  flow=no */
/* expect: covered -> frame_load  no */
/* expect: half -> covered_load  yes  flow=no */
/* expect: parts -> parts_load  no */
/* expect: upper -> parts_load  yes  flow=no */
/* expect: part -> left_load  no */
/* expect: parts -> left_load  yes  flow=no */
/* expect: moved -> field_load  no */
/* expect: stale -> pointed_load  no */
        pushq   %rbx
        subq    $32, %rsp
        leaq    16(%rdi), %rbx
        maybe   12
.Lcovered: movq    $1, 8(%rsp)
.Lframe: movq    $2, 8(%rsp)
.Lhalf: movl    $3, 20(%rsp)
.Lparts: movdqu %xmm0, -16(%rsp)
.Lpart: movq    $1, -16(%rsp)
.Lupper: movl   $2, -8(%rsp)
.Lvariable: movl    $4, v(%rip)
        movq    8(%rdi), %rax
.Lstale: movq    $5, (%rax)
        movq    %rsi, 8(%rdi)
        movq    8(%rdi), %rax
.Lpointed: movq    $6, (%rax)
.Lmoved: movq    $7, (%rbx)
        addq    $8, %rbx
.Lfield: movq    $8, (%rbx)
        maybe
        movq    8(%rdi), %rax
.Lparts_load: movl    -8(%rsp), %ecx
.Lleft_load: movl    -4(%rsp), %ecx
.Lpointed_load: movq    (%rax), %rax
.Lfield_load: movq    24(%rdi), %rax
.Lframe_load: movq    8(%rsp), %rax
.Lcovered_load: movq    16(%rsp), %rax
.Lvariable_load: movl    v(%rip), %eax
.Lout:  addq    $32, %rsp
        popq    %rbx
        finish  f

        .bss
v:      .zero   4

/* kernel: flow-calls */
/* As flow, but callees store or load: where an argument points to, where something lies
   that it points to, on the caller's stack, and in a variable, two calls below. */
/* expect: given -> taken  yes  flow=no */
/* expect: set -> get  yes  flow=no */
/* expect: set -> frame_get  yes  flow=no */
/* expect: set -> other_get  no */
/* expect: deep -> variable  yes  flow=no */
/* expect: far -> near  yes  flow=no */
/* expect: old -> last_get  no */
/* expect: new -> last_get  yes  flow=no */
/* expect: set -> again  yes  flow=no */
        pushq   %rbx
        subq    $48, %rsp
        movq    %rdi, %rbx
        maybe   12
.Lgiven: movq    $1, 8(%rdi)
        call    g
.Lget:  movq    16(%rbx), %rax
.Lnew:  movq    $5, 32(%rbx)
.Llast_get: movq    32(%rbx), %rax
        leaq    8(%rsp), %rdi
        call    g
.Lframe_get: movq    24(%rsp), %rax
.Lother_get: movq    32(%rsp), %rax
        leaq    8(%rbx), %rdi
        call    k
        movq    24(%rbx), %rax
.Lnear: movq    (%rax), %rax
.Lvariable: movl    v(%rip), %eax
.Lout:  addq    $48, %rsp
        popq    %rbx
        finish  f

        begin   g
.Ltaken: movq    8(%rdi), %rax
.Lset:  movq    $2, 16(%rdi)
.Lold:  movq    $3, 32(%rdi)
        finish  g

        begin   h
        movq    24(%rdi), %rax
.Lfar:  movq    $4, (%rax)
.Ldeep: movl    $5, v(%rip)
        finish  h

        begin   k
.Lagain: movq    8(%rdi), %rax
        subq    $8, %rdi
        call    h
        finish  k

        .bss
v:      .zero   4

/* kernel: flow-middle */
/* A pointer into the frame lies in the frame, too.  Walks that start after the tests come
   to the store and to the load, but do not know that pointer, and so say nothing against
   the pair; no other walk comes to them. */
/* expect: set -> get  yes  flow=no */
        subq    $56, %rsp
        leaq    8(%rsp), %rax
        movq    %rax, 32(%rsp)
        maybe   16
.Lset:  movq    $2, 8(%rsp)
        jmp     1f
1:      movq    32(%rsp), %rdi
.Lget:  movq    (%rdi), %rax
.Lout:  addq    $56, %rsp
        finish  f

/* kernel: flow-order */
/* Walks come to a store and to a load of one place, but to the load only before: the
   second call of get lies behind twelve tests of unknown bytes.  So they say nothing
   against the pair.  They do against that of put, over which over stores always.  Far
   and last have some 350 instructions between them. */
/* expect: first -> get  yes */
/* expect: set -> get  yes  flow=no */
/* expect: far -> last  yes  flow=no */
/* expect: put -> have  no */
/* expect: over -> have  yes */
        subq    $40, %rsp
        leaq    24(%rsp), %rdi
        call    put
        leaq    24(%rsp), %rdi
        call    over
        leaq    24(%rsp), %rdi
        call    have
.Lfar:  movq    $5, 16(%rsp)
.Lfirst: movq    $1, 8(%rsp)
        leaq    8(%rsp), %rdi
        call    get
        leaq    8(%rsp), %rdi
        call    set
        maybe   12
        leaq    8(%rsp), %rdi
        call    get
        .rept   300
        nop
        .endr
.Llast: movq    16(%rsp), %rax
.Lout:  addq    $40, %rsp
        finish  f

        begin   get
.Lget:  movq    (%rdi), %rax
        finish  get

        begin   set
.Lset:  movq    $2, (%rdi)
        finish  set

        begin   put
.Lput:  movq    $3, (%rdi)
        finish  put

        begin   over
.Lover: movq    $4, (%rdi)
        finish  over

        begin   have
.Lhave: movq    (%rdi), %rax
        finish  have

/* kernel: flow-tables */
/* As flow-calls, but the address of the callee was loaded from an unknown pointer, or
   from known data.  A table has it there. */
/* expect: set -> handled  yes  tables=no */
/* expect: kept -> got     yes  tables=no */
/* expect: given -> taken  yes  tables=no */
        pushq   %rbx
        movq    %rdi, %rbx
        maybe   12
        movq    (%rbx), %rax
.Lset:  movq    $2, 24(%rdi)
        call    *40(%rax)
.Lgot:  movq    32(%rbx), %rax
        movq    %rbx, %rdi
.Lgiven: movq    $1, 8(%rdi)
        call    *single(%rip)
.Lout:  popq    %rbx
        finish  f

        begin   g
.Lhandled: movq    24(%rdi), %rax
.Lkept: movq    $4, 32(%rdi)
        finish  g

        begin   h
.Ltaken: movq    8(%rdi), %rax

        movq    24(%rdi), %rcx
        finish  h

        begin   refer
        leaq    handlers(%rip), %rax
        finish  refer

        .data
        .balign 8
handlers:
        .quad   1, 2, 3, 4, 5, g
single: .quad   h

/* kernel: tables */
/* Functions whose addresses were loaded at a distance from an unknown pointer: one
   that a table in the data has there, is called: of a structure of handlers, a virtual
   table, an array of structures; or an element of an array.  A tail call is alike.
   What no table has at that distance is no candidate. */
/* expect: handled -> handle  yes  tables=no */
/* expect: handled -> other   no */
/* expect: seen -> virtual    yes  tables=no */
/* expect: named -> command   yes  tables=no */
/* expect: chosen -> element  yes  tables=no */
/* expect: last -> tail       yes  tables=no */
        pushq   %rbx
        movq    %rdi, %rbx
        movq    (%rdi), %rax
.Lhandled: movq %rsi, 8(%rdi)
        call    *40(%rax)
        movq    16(%rbx), %rax
        movq    %rbx, %rdi
.Lseen: movq    $1, 24(%rdi)
        movq    (%rax), %rax
        call    *32(%rax)
        movq    32(%rbx), %rax
        movq    %rbx, %rdi
        movq    56(%rax), %rax
.Lnamed: movq   $2, 40(%rdi)
        testq   %rax, %rax
        je      .Lnone
        call    *%rax
.Lnone: movl    48(%rbx), %eax
        movq    %rbx, %rdi
.Lchosen: movq  $3, 56(%rdi)
        call    *array(,%rax,8)
        movq    %rbx, %rdi
        popq    %rbx
        movq    64(%rdi), %rax
.Llast: movq    $4, 72(%rdi)
        jmp     *48(%rax)
        .size   f, . - f

        begin   g1
.Lhandle: movq  8(%rdi), %rax
        finish  g1
        begin   g2
.Lother: movq   8(%rdi), %rax
        finish  g2
        begin   g3
.Lvirtual: movq 24(%rdi), %rax
        finish  g3
        begin   g4
.Lcommand: movq 40(%rdi), %rax
        finish  g4
        begin   g5
.Lelement: movq 56(%rdi), %rax
        finish  g5
        begin   g6
.Ltail: movq    72(%rdi), %rax
        finish  g6

        begin   refer
        leaq    handlers(%rip), %rax
        leaq    vtable(%rip), %rcx
        movl    $commands, %edx
        finish  refer

        .data
        .balign 8
handlers:
        .quad   1, 2, 3, g2, 4, g1, g6
vtable: .quad   0, type, g2, g2, g2, g2, g3
type:   .quad   5
commands:
        .quad   6, 7, 8, 9, 10, 11, 12, g4
        .quad   6, 7, 8, 9, 10, 11, 12, g4
        .quad   6, 7, 8, 9, 10, 11, 12, g4
array:  .quad   g5, g5, g5, g5
