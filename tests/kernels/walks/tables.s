/* Functions whose addresses were loaded at a distance from an unknown pointer: one
   that a table in the data has there, is called: of a structure of handlers, a virtual
   table, an array of structures; or an element of an array.  A tail call is alike.
   What no table has at that distance is no candidate. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: handled -> handle  yes  tables=no */
/* expect: handled -> other   no */
/* expect: seen -> virtual    yes  tables=no */
/* expect: named -> command   yes  tables=no */
/* expect: chosen -> element  yes  tables=no */
/* expect: last -> tail       yes  tables=no */

        .globl  f
        .type   f, @function
f:      pushq   %rbx
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

        .type   g1, @function
g1:
.Lhandle: movq  8(%rdi), %rax
        ret
        .size   g1, . - g1
        .type   g2, @function
g2:
.Lother: movq   8(%rdi), %rax
        ret
        .size   g2, . - g2
        .type   g3, @function
g3:
.Lvirtual: movq 24(%rdi), %rax
        ret
        .size   g3, . - g3
        .type   g4, @function
g4:
.Lcommand: movq 40(%rdi), %rax
        ret
        .size   g4, . - g4
        .type   g5, @function
g5:
.Lelement: movq 56(%rdi), %rax
        ret
        .size   g5, . - g5
        .type   g6, @function
g6:
.Ltail: movq    72(%rdi), %rax
        ret
        .size   g6, . - g6

        .type   refer, @function
refer:  leaq    handlers(%rip), %rax
        leaq    vtable(%rip), %rcx
        movl    $commands, %edx
        ret
        .size   refer, . - refer

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
