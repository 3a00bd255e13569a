/* A value that goes through memory within a round, and on in a register. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 7 */
/* link: store data 0 1 */
/* link: load memory 5 0 */
/* link: add register 1 0 */
/* link: last register 1 0 */

        .globl  f
        .type   f, @function
f:
.Lstore: movq   %rax, (%rdi,%rcx,8)
.Lload: movq    (%rdi,%rcx,8), %rbx
.Ladd:  addq    $1, %rbx
.Llast: leaq    2(%rbx), %rax
        subq    $1, %rdx
        jne     .Lstore
        ret
        .size   f, . - f
