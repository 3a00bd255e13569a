/* Two registers that exchange their values: the chain needs two rounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 2 */
/* link: mul register 3 1 */
/* link: add register 1 1 */

        .globl  f
        .type   f, @function
f:
.Lfirst: movq   %rax, %r8
.Lmul:  imulq   %rcx, %r8
.Ladd:  leaq    1(%rbx), %rax
.Llast: movq    %r8, %rbx
        subq    $1, %rdx
        jne     .Lfirst
        ret
        .size   f, . - f
