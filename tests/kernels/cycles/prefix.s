/* A prefix sum in memory: each round loads what the one before stored. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 6 */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    -8(%rdi), %rax
.Ladd:  addq    (%rsi), %rax
.Lstore: movq   %rax, (%rdi)
        addq    $8, %rsi
.Lstep: addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload
        ret
        .size   f, . - f
