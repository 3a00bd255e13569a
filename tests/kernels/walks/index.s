/* Numbers that choose elements of an array are small, so that a table meets what
   it wrote; scaled, of 32 bits, and subtracted: so many bytes back. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: scaled -> other  yes  index=no */
/* expect: byte -> near  yes  index=no */
/* expect: first -> second  yes */
/* expect: put -> back  yes  index=no */

        .globl  f
        .type   f, @function
f:      movl    $64, %r8d
.Lloop: movq    (%rsi), %rax
        movl    8(%rsi), %ecx
        movl    12(%rsi), %edx
        addq    $16, %rsi
.Lscaled: movq  %r8, (%rdi,%rax,8)
.Lbyte: movb    %r8b, (%r9,%rcx)
.Lnear: movzbl  (%r9,%rdx), %r10d
        subl    $1, %r8d
        jnz     .Lloop
        movq    (%rsi), %rax
.Lother: movq   (%rdi,%rax,8), %rcx
.Lfirst: movq   %rcx, 8(%r11,%rax,8)
        addq    $1, %rax
.Lsecond: movq  (%r11,%rax,8), %rcx
        movl    $64, %r8d
.Lcopy: movslq  (%r13), %rax
        movq    %r12, %rbx
        subq    %rax, %rbx
.Lback: movzbl  (%rbx), %ecx
.Lput:  movb    %cl, (%r12)
        addq    $1, %r12
        addq    $4, %r13
        subl    $1, %r8d
        jnz     .Lcopy
        ret
        .size   f, . - f
