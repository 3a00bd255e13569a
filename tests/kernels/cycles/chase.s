/* A list: each load waits for the address that the one before gave. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 5 */
/* memory: 5 */
/* link: load address 5 1 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    (%rdi), %rdi
        testq   %rdi, %rdi
        jne     .Lload
        ret
        .size   f, . - f
