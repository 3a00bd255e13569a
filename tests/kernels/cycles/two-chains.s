/* Of two chains the longer one counts. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 4 */
/* memory: 4 */
/* link: mul register 3 1 */
/* link: add register 1 0 */

        .globl  f
        .type   f, @function
f:
.Lmul:  imulq   %rcx, %rax
.Ladd:  addq    %rcx, %rax
        addq    %rcx, %r8
        addq    %rcx, %r8
        subq    $1, %rdx
        jne     .Lmul
        ret
        .size   f, . - f
