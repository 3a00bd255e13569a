/* The load moves away from the store: they meet in the first round alone. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: both */
/* registers: 1 */
/* memory: 1 */
/* link: step register 1 1 */

        .globl  f
        .type   f, @function
f:      leaq    8+array(%rip), %rsi
        leaq    array(%rip), %rdi
        xorl    %edx, %edx
.Lput:  movq    %rdx, 8(%rdi)
        movq    (%rsi), %rdx
        addq    $1, %rdx
.Lstep: addq    $8, %rsi
        cmpq    %rcx, %rsi
        jne     .Lput
        ret
        .size   f, . - f
        .bss
array:  .skip   1024
