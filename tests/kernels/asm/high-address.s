/* The same loop at a low address, long enough to be hot, and then at one where
   nothing was mapped before, 2^40 bytes higher; what was written first is still
   known afterwards. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: byte -> rbyte  dk=0  n=6000  d=5 */
/* expect: half -> rhalf  dk=0  n=6000  d=5 */
/* expect: int  -> rint   dk=0  n=6000  d=5 */
/* expect: quad -> rquad  dk=0  n=6000  d=5 */
/* expect: wide -> rwide  dk=0  n=6000  d=5 */
/* expect: int  -> last   dk=-  n=1     d=36027 */

        .globl  _start
_start: leaq    .Lbuffer(%rip), %rbx
        movq    %rbx, %rsi
        leaq    .Lmap(%rip), %rbp
        jmp     .Lwork
.Lmap:
        movl    $9, %eax                # mmap(high, 8192, RW, fixed anonymous)
        movabsq $0x10000000000, %rdi
        addq    %rbx, %rdi
        movq    %rdi, %r12
        andq    $-4096, %rdi
        movl    $8192, %esi
        movl    $3, %edx
        movl    $0x32, %r10d
        movl    $-1, %r8d
        xorl    %r9d, %r9d
        syscall
        movq    %r12, %rsi
        leaq    .Llast(%rip), %rbp
        jmp     .Lwork
.Llast: movl    4(%rbx), %eax

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lwork: movl    $3000, %ecx
.Lloop:
.Lbyte: movb    %cl, (%rsi)
.Lhalf: movw    %cx, 2(%rsi)
.Lint:  movl    %ecx, 4(%rsi)
.Lquad: movq    %rcx, 8(%rsi)
.Lwide: movups  %xmm0, 16(%rsi)
.Lrbyte: movb   (%rsi), %al
.Lrhalf: movw   2(%rsi), %ax
.Lrint: movl    4(%rsi), %eax
.Lrquad: movq   8(%rsi), %rax
.Lrwide: movups 16(%rsi), %xmm1
        decl    %ecx
        jnz     .Lloop
        jmp     *%rbp

        .bss
        .balign 64
.Lbuffer: .skip 64
