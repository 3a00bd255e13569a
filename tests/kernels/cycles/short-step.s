/* The address moves by less than the width of the accesses: half of what a round
   loads is from the store of the round before, and half is in the cache, so the
   forward fails. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 21 */
/* link: get memory 20 1 */
/* link: put data 0 0 */
/* link: inc register 1 0 */
        .globl  f
        .type   f, @function
f:      movl    $100, %ecx
.Lget:  movq    (%rdi), %rax
.Linc:  addq    $1, %rax
.Lput:  movq    %rax, (%rdi)
        addq    $4, %rdi
        decl    %ecx
        jnz     .Lget
        ret
        .size   f, . - f
