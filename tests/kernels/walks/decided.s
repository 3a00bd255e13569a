/* A branch that known values decide is followed. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: right -> load  yes */
/* expect: wrong -> load  no  decided=yes */

        .globl  f
        .type   f, @function
f:      movl    $1, %eax
        cmpl    $1, %eax
        jne     .Lelse
.Lright: movq   $1, (%rdi)
        jmp     .Lload
.Lelse: nop
.Lwrong: movq   $2, (%rdi)
.Lload: movq    (%rdi), %rax
        ret
        .size   f, . - f
