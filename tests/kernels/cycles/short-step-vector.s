/* As short-step, with parts of 8 bytes of an access of 16; walks see it, too. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: both */
/* registers: 1 */
/* memory: 21 */
/* link: get memory 20 1 */
/* link: put data 0 0 */
/* link: inc register 1 0 */
        .globl  f
        .type   f, @function
f:      movl    $100, %ecx
.Lget:  movups  (%rdi), %xmm0
.Linc:  paddd   %xmm1, %xmm0
.Lput:  movups  %xmm0, (%rdi)
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lget
        ret
        .size   f, . - f
