/* A forward that fails does not wait for what stands after the store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 20 */
/* link: get memory 20 1 */

        .globl  f
        .type   f, @function
f:
.Lget:  movq    (%rdi), %rax
        movq    %rcx, 1(%rdi)
        imulq   %rax, %rax
        imulq   %rax, %rax
        decl    %edx
        jne     .Lget
        ret
        .size   f, . - f
