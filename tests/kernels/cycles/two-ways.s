/* A round in which something is skipped is shorter: the fewest instructions between
   the store and the load do not tell that a round lies between, but the distance
   vector does. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: function */
/* registers: 1 */
/* memory: 3 */
/* link: get memory 5 1 */
/* link: inc register 1 0 */
/* link: put data 0 1 */

        .globl  f
        .type   f, @function
f:      nop
.Lput:  movq    %rax, (%rdi)
        addq    $8, %rdi
        cmpq    $5, (%rsi)
        je      .Lskip
        nop
        nop
        nop
        nop
        nop
        nop
.Lskip: addq    $8, %rsi
.Lget:  movq    -16(%rdi), %rax
.Linc:  addq    $1, %rax
        cmpq    %rdx, %rdi
        jne     .Lput
        ret
        .size   f, . - f
