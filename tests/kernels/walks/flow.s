/* The stores come after twelve tests of unknown bytes, so no walk comes to them.  What
   they leave on the stack, in a variable, or where an argument points to reaches its
   loads all the same, unless another store covers it, or the pointer changes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
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

        .macro  maybe
        addq    $1, %rsi
        cmpb    $7, (%rsi)
        jne     .Lout
        .endm

        .globl  f
        .type   f, @function
f:      pushq   %rbx
        subq    $32, %rsp
        leaq    16(%rdi), %rbx
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
.Lcovered:
        movq    $1, 8(%rsp)
.Lframe:
        movq    $2, 8(%rsp)
.Lhalf: movl    $3, 20(%rsp)
.Lparts: movdqu %xmm0, -16(%rsp)
.Lpart: movq    $1, -16(%rsp)
.Lupper: movl   $2, -8(%rsp)
.Lvariable:
        movl    $4, v(%rip)
        movq    8(%rdi), %rax
.Lstale:
        movq    $5, (%rax)
        movq    %rsi, 8(%rdi)
        movq    8(%rdi), %rax
.Lpointed:
        movq    $6, (%rax)
.Lmoved:
        movq    $7, (%rbx)
        addq    $8, %rbx
.Lfield:
        movq    $8, (%rbx)
        maybe
        movq    8(%rdi), %rax
.Lparts_load:
        movl    -8(%rsp), %ecx
.Lleft_load:
        movl    -4(%rsp), %ecx
.Lpointed_load:
        movq    (%rax), %rax
.Lfield_load:
        movq    24(%rdi), %rax
.Lframe_load:
        movq    8(%rsp), %rax
.Lcovered_load:
        movq    16(%rsp), %rax
.Lvariable_load:
        movl    v(%rip), %eax
.Lout:  addq    $32, %rsp
        popq    %rbx
        ret
        .size   f, . - f

        .bss
v:      .zero   4
