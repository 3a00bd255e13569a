/* A sum of long numbers: the carry goes from round to round, and dec keeps it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 2 */
/* memory: 2 */
/* link: low register 1 1 */
/* link: high register 1 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    (%rsi,%rcx,8), %rax
        movq    8(%rsi,%rcx,8), %rbx
.Llow:  adcq    %r8, %rax
.Lhigh: adcq    %r9, %rbx
        leaq    2(%rcx), %rcx
.Lstep: decq    %rdx
        jne     .Lload
        ret
        .size   f, . - f
