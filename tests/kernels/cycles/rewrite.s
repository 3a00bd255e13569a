/* One instruction loads, adds and stores the same cell (OSACA's open issue 41). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 6 */
/* link: add memory 5 1 */
/* link: add register 1 0 */

        .globl  f
        .type   f, @function
f:
.Ladd:  addq    %rax, (%rdi)
.Lstep: subq    $1, %rsi
        jne     .Ladd
        ret
        .size   f, . - f
