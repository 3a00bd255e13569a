/* Four elements a round: what is one element before is of the same round, or of
   the one before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put0 -> get1  0 */
/* vector: put1 -> get2  0 */
/* vector: put2 -> get3  0 */
/* vector: put3 -> get0  1 */
/* vector: put1 -> far  2 */

        .globl  _start
_start: call    f
        movl    $60, %eax
        xorl    %edi, %edi
        syscall

        .type   f, @function
f:      movl    $a + 80, %edi
        movl    $10, %ecx
.Lloop: nop
.Lget0: movq    -8(%rdi), %rax
        incq    %rax
.Lput0: movq    %rax, (%rdi)
.Lget1: movq    (%rdi), %rax
        incq    %rax
.Lput1: movq    %rax, 8(%rdi)
.Lget2: movq    8(%rdi), %rax
        incq    %rax
.Lput2: movq    %rax, 16(%rdi)
.Lget3: movq    16(%rdi), %rax
        incq    %rax
.Lput3: movq    %rax, 24(%rdi)
.Lfar:  movq    -56(%rdi), %rax
        addq    $32, %rdi
        decl    %ecx
        jnz     .Lloop
        ret
        .size   f, . - f

        .bss
        .balign 8
a:      .zero   1024
