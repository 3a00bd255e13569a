/* Two stores of 4 bytes, one load of 8: no single store has its bytes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 22 */
/* link: load memory 21 1 */
/* link: add register 1 0 */
/* link: low data 0 0 */

        .globl  f
        .type   f, @function
f:
.Lload: movq    (%rdi), %rax
.Ladd:  addq    $3, %rax
.Llow:  movl    %eax, (%rdi)
        movl    %esi, 4(%rdi)
.Lstep: subq    $1, %rdx
        jne     .Lload
        ret
        .size   f, . - f
