/* A sum in a register: nothing goes through memory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 4 */
/* memory: 4 */
/* link: add register 4 1 */

        .globl  f
        .type   f, @function
f:
.Lload: movsd   (%rdi), %xmm1
        mulsd   (%rsi), %xmm1
.Ladd:  addsd   %xmm1, %xmm0
        addq    $8, %rsi
        addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload
        ret
        .size   f, . - f
