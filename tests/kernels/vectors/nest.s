/* Two loops, one in the other: the addresses move down in the inner one. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> next  0 1 */
/* vector: put -> row  1 0 */
/* vector: put -> two  2 1 */
/* vector: inner -> outer  0 */
/* vector: outer_put -> inner_get  1 */

        .globl  _start
_start: call    f
        movl    $60, %eax
        xorl    %edi, %edi
        syscall

        .type   f, @function
f:      movl    $a + 512, %edi
        movl    $8, %ecx
.Lrows: movl    $6, %edx
        movq    %rdi, %rsi
.Lcols: nop
.Lnext: movq    8(%rsi), %rax
.Lrow:  movq    -64(%rsi), %rax
.Ltwo:  movq    -120(%rsi), %rax
.Linner_get: movq b(%rip), %rax
.Lput:  movq    %rax, (%rsi)
.Linner: movq   %rax, c(%rip)
        subq    $8, %rsi
        decl    %edx
        jnz     .Lcols
.Louter: movq   c(%rip), %rax
.Louter_put: movq %rax, b(%rip)
        addq    $64, %rdi
        decl    %ecx
        jnz     .Lrows
        ret
        .size   f, . - f

        .bss
        .balign 8
a:      .zero   2048
b:      .zero   8
c:      .zero   8
