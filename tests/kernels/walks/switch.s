/* A switch: its range check leaves the number drawn, and its table is read from the
   file. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: one -> load  yes */
/* expect: two -> load  yes */
/* expect: three -> load  yes */

        .globl  f
        .type   f, @function
f:      cmpl    $2, %esi
        ja      .Lout
        movl    %esi, %esi
        leaq    table(%rip), %rdx
        movslq  (%rdx,%rsi,4), %rax
        addq    %rdx, %rax
        jmp     *%rax
.Lone:  movq    $1, (%rdi)
        jmp     .Lload
.Ltwo:  movq    $2, (%rdi)
        jmp     .Lload
.Lthree: movq   $3, (%rdi)
.Lload: movq    (%rdi), %rax
.Lout:  ret

        .section .rodata
        .align  4
table:  .long   .Lone - table
        .long   .Ltwo - table
        .long   .Lthree - table
        .text
        .size   f, . - f
