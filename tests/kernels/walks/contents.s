/* What the file says of read-only data decides. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: right -> load  yes */
/* expect: wrong -> load  no  contents=yes */

        .globl  f
        .type   f, @function
f:      cmpq    $7, seven(%rip)
        jne     .Lelse
.Lright: movq   $1, (%rdi)
        jmp     .Lload
.Lelse: nop
.Lwrong: movq   $2, (%rdi)
.Lload: movq    (%rdi), %rax
        ret

        .section .rodata
seven:  .quad   7
        .text
        .size   f, . - f
