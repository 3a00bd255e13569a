/* An accumulator on the stack, whose load the processor renames: it costs nothing. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 2 */
/* link: load memory 0 1 */
/* link: add register 1 0 */
/* link: more register 1 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    -8(%rsp), %rax
.Ladd:  addq    (%rdi), %rax
.Lmore: addq    %rcx, %rax
.Lstore: movq   %rax, -8(%rsp)
        addq    $8, %rdi
        subq    $1, %rsi
        jne     .Lload
        ret
        .size   f, . - f
