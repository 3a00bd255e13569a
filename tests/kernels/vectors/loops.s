/* Loops in assembly (form: tests/staticdeps/vectors.sh). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .globl  _start
_start: call    f
        movl    $60, %eax
        xorl    %edi, %edi
        syscall

        .type   f, @function
f:

/* kernel: guarded */
/* Two registers of which one is always one more than the other.  A walk that begins
   at .Lnever, where no other comes, does not know that. */
/* vector: put -> above  1 0 */
/* vector: put -> left  0 1 */
        movl    $1, %r8d
        movl    $2, %r9d
.Lrow:  movl    $1, %edx
        cmpl    $1, %r9d
        jle     .Lnever
        imulq   $96, %r8, %r10
        imulq   $96, %r9, %r11
.Lcell: nop
.Labove: movq   a(%r10,%rdx,8), %rax
.Lleft: addq    a-8(%r11,%rdx,8), %rax
.Lput:  movq    %rax, a(%r11,%rdx,8)
        addl    $1, %edx
        cmpl    %r9d, %edx
        jne     .Lcell
        addl    $1, %r9d
        cmpl    $12, %r9d
        je      .Lend
        addl    $1, %r8d
        jmp     .Lrow
.Lnever: addl   $1, %r9d
        addl    $1, %r8d
        jmp     .Lrow
.Lend:  ret
        .size   f, . - f

        .bss
        .balign 8
a:      .zero   2048

/* kernel: list */
/* The node before, in a list: its address is no function of the rounds. */
/* vector: put -> get  none */
        movl    $a, %edi
.Lloop: movq    (%rdi), %rsi
.Lput:  movq    %rsi, 8(%rdi)
.Lget:  movq    8(%rdi), %rax
        movq    %rsi, %rdi
        testq   %rdi, %rdi
        jnz     .Lloop
        ret
        .size   f, . - f

        .data
        .balign 8
a:      .quad   c, 0
b:      .quad   d, 0
c:      .quad   b, 0
d:      .quad   e, 0
e:      .quad   0, 0

/* kernel: nest */
/* Two loops, one in the other: the addresses move down in the inner one. */
/* vector: put -> next  0 1 */
/* vector: put -> row  1 0 */
/* vector: put -> two  2 1 */
/* vector: inner -> outer  0 */
/* vector: outer_put -> inner_get  1 */
        movl    $a + 512, %edi
        movl    $8, %ecx
.Lrows: movl    $6, %edx
        movq    %rdi, %rsi
.Lcols: nop
.Lnext: movq    8(%rsi), %rax
.Lrow:  movq    -64(%rsi), %rax
.Ltwo:  movq    -120(%rsi), %rax
.Linner_get: movq b(%rip), %rax
.Lput:  movq    %rax, (%rsi)
.Linner: movq   %rax, c(%rip)
        subq    $8, %rsi
        decl    %edx
        jnz     .Lcols
.Louter: movq   c(%rip), %rax
.Louter_put: movq %rax, b(%rip)
        addq    $64, %rdi
        decl    %ecx
        jnz     .Lrows
        ret
        .size   f, . - f

        .bss
        .balign 8
a:      .zero   2048
b:      .zero   8
c:      .zero   8

/* kernel: sometimes */
/* What is stored in some rounds only: how long ago is another question in each
   round. */
/* vector: seldom -> often  none */
/* vector: put -> get  1 */
        movl    $a, %edi
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

/* kernel: unrolled */
/* Four elements a round: what is one element before is of the same round, or of
   the one before. */
/* vector: put0 -> get1  0 */
/* vector: put1 -> get2  0 */
/* vector: put2 -> get3  0 */
/* vector: put3 -> get0  1 */
/* vector: put1 -> far  2 */
        movl    $a + 80, %edi
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
