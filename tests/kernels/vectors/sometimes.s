/* What is stored in some rounds only: how long ago is another question in each
   round. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: seldom -> often  none */
/* vector: put -> get  1 */

        .globl  _start
_start: call    f
        movl    $60, %eax
        xorl    %edi, %edi
        syscall

        .type   f, @function
f:      movl    $a, %edi
        movl    $20, %ecx
.Lloop: nop
.Loften: movq   b(%rip), %rax
.Lget:  movq    (%rdi), %rax
.Lput:  movq    %rax, 8(%rdi)
        testb   $3, %cl
        jnz     .Lskip
.Lseldom: movq  %rax, b(%rip)
.Lskip: addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop
        ret
        .size   f, . - f

        .bss
        .balign 8
a:      .zero   1024
b:      .zero   8
