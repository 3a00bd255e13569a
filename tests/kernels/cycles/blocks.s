/* A loop of two blocks: the chain goes through both. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: function */
/* registers: 1 */
/* memory: 7 */
/* link: load memory 5 1 */
/* link: add register 1 0 */
/* link: more register 1 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    (%rdi), %rax
.Ladd:  addq    $1, %rax
        cmpq    %rcx, %rdx
        je      .Lskip
.Lmore: addq    %rsi, %rax
.Lstore: movq   %rax, (%rdi)
        subq    $1, %rdx
        jne     .Lload
.Lskip:
        ret
        .size   f, . - f
