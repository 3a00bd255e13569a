/* A pointer that is stored and loaded again: the address of the next load. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 10 */
/* link: load memory 5 1 */
/* link: next address 5 0 */
/* link: store data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    (%rdi), %rax
.Lnext: movq    (%rax), %rcx
.Lstore: movq   %rcx, (%rdi)
        subq    $1, %rdx
        jne     .Lload
        ret
        .size   f, . - f
