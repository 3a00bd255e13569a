/* A byte load from what a wider store left. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 6 */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movzbl  (%rdi), %eax
.Ladd:  addl    %ecx, %eax
.Lstore: movl   %eax, (%rdi)
        subq    $1, %rdx
        jne     .Lload
        ret
        .size   f, . - f
