/* A pointer that has one of two values: not all walks see the arrays meet. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: both */
/* registers: 1 */
/* memory: 1 */
/* link: step register 1 1 */

        .globl  f
        .type   f, @function
f:      leaq    array(%rip), %rsi
        leaq    8+array(%rip), %rdi
        leaq    other(%rip), %rax
        testl   %edx, %edx
        je      .Lset
        movq    %rax, %rdi
.Lset:  xorl    %eax, %eax
.Lget:  movq    (%rsi,%rax,8), %rdx
        addq    $1, %rdx
        movq    %rdx, (%rdi,%rax,8)
.Lstep: addl    $1, %eax
        cmpl    $100, %eax
        jne     .Lget
        ret
        .size   f, . - f
        .bss
array:  .skip   1024
other:  .skip   1024
