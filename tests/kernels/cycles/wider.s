/* Two arrays at known addresses: walks through the function see that they meet,
   and addresses that move alike meet in each round. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: both */
/* registers: 1 */
/* memory: 6 */
/* link: get memory 5 1 */
/* link: inc register 1 0 */
/* link: put data 0 0 */

        .globl  f
        .type   f, @function
f:      leaq    array(%rip), %rsi
        leaq    8+array(%rip), %rdi
        xorl    %eax, %eax
.Lget:  movq    (%rsi,%rax,8), %rdx
.Linc:  addq    $1, %rdx
.Lput:  movq    %rdx, (%rdi,%rax,8)
        addl    $1, %eax
        cmpl    $100, %eax
        jne     .Lget
        ret
        .size   f, . - f
        .bss
array:  .skip   1024
