/* What the round before the last one stored: half of the cycles a round. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 3 */
/* link: load memory 5 2 */
/* link: add register 1 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    -16(%rdi), %rax
.Ladd:  addq    %rcx, %rax
.Lstore: movq   %rax, (%rdi)
.Lstep: addq    $8, %rdi
        cmpq    %rdx, %rdi
        jne     .Lload
        ret
        .size   f, . - f
