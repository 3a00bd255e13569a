/* A forward that fails waits for the branch before its store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope: function */
/* registers: 1 */
/* memory: 23 */
/* link: get memory 19 1 */
/* link: mul register 3 0 */
/* link: test register 1 0 */

        .globl  f
        .type   f, @function
f:      movl    $20, %r8d
.Lget:  movq    (%rdi), %rax
.Lcopy: movq    %rax, %rdx
.Lmul:  imulq   %rdx, %rdx
.Ltest: testq   %rdx, %rdx
        js      .Lskip
        movq    %rcx, 1(%rdi)
.Lskip: decl    %r8d
        jne     .Lget
        ret
        .size   f, . - f
