/* A copy: no chain but the counter. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 1 */
/* link: step register 1 1 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    (%rdi,%rcx,8), %rax
        movq    %rax, (%rsi,%rcx,8)
.Lstep: addq    $1, %rcx
        cmpq    %rdx, %rcx
        jne     .Lload
        ret
        .size   f, . - f
