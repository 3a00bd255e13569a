/* As flow-calls, but the address of the callee was loaded from an unknown pointer, or
   from known data.  A table has it there. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: set -> handled  yes  tables=no */
/* expect: kept -> got     yes  tables=no */
/* expect: given -> taken  yes  tables=no */

        .macro  maybe
        addq    $1, %rsi
        cmpb    $7, (%rsi)
        jne     .Lout
        .endm

        .globl  f
        .type   f, @function
f:      pushq   %rbx
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
        movq    (%rbx), %rax
.Lset:  movq    $2, 24(%rdi)
        call    *40(%rax)
.Lgot:  movq    32(%rbx), %rax
        movq    %rbx, %rdi
.Lgiven:
        movq    $1, 8(%rdi)
        call    *single(%rip)
.Lout:  popq    %rbx
        ret
        .size   f, . - f

        .type   g, @function
g:
.Lhandled:
        movq    24(%rdi), %rax
.Lkept: movq    $4, 32(%rdi)
        ret
        .size   g, . - g

        .type   h, @function
h:
.Ltaken:
        movq    8(%rdi), %rax

        movq    24(%rdi), %rcx
        ret
        .size   h, . - h

        .type   refer, @function
refer:  leaq    handlers(%rip), %rax
        ret
        .size   refer, . - refer

        .data
        .balign 8
handlers:
        .quad   1, 2, 3, 4, 5, g
single: .quad   h
