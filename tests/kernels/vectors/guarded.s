/* Two registers of which one is always one more than the other.  A walk that begins
   at .Lnever, where no other comes, does not know that. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> above  1 0 */
/* vector: put -> left  0 1 */

        .globl  _start
_start: call    f
        movl    $60, %eax
        xorl    %edi, %edi
        syscall

        .type   f, @function
f:      movl    $1, %r8d
        movl    $2, %r9d
.Lrow:  movl    $1, %edx
        cmpl    $1, %r9d
        jle     .Lnever
        imulq   $96, %r8, %r10
        imulq   $96, %r9, %r11
.Lcell: nop
.Labove: movq   a(%r10,%rdx,8), %rax
.Lleft: addq    a-8(%r11,%rdx,8), %rax
.Lput:  movq    %rax, a(%r11,%rdx,8)
        addl    $1, %edx
        cmpl    %r9d, %edx
        jne     .Lcell
        addl    $1, %r9d
        cmpl    $12, %r9d
        je      .Lend
        addl    $1, %r8d
        jmp     .Lrow
.Lnever: addl   $1, %r9d
        addl    $1, %r8d
        jmp     .Lrow
.Lend:  ret
        .size   f, . - f

        .bss
        .balign 8
a:      .zero   2048
