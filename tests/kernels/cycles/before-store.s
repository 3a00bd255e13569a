/* A forward that fails waits for the store to leave the store buffer, and so for
   what stands before it, though nothing of it is stored. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 25 */
/* link: get memory 19 1 */
/* link: one register 3 0 */
/* link: two register 3 0 */

        .globl  f
        .type   f, @function
f:
.Lget:  movq    (%rdi), %rax
.Lone:  imulq   %rax, %rax
.Ltwo:  imulq   %rax, %rax
        movq    %rcx, 1(%rdi)
        decl    %edx
        jne     .Lget
        ret
        .size   f, . - f
