/* Addresses that are no multiples of four, though all registers that they come
   from are where each loop begins. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: plus   -> pluses   dk=0  n=2000  d=1 */
/* expect: or     -> ors      dk=0  n=2000  d=1 */
/* expect: part   -> parts    dk=0  n=2000  d=1 */
/* expect: shift  -> shifts   dk=0  n=2000  d=1 */
/* expect: choice -> choices  dk=0  n=2000  d=1 */
/* expect: other  -> others   dk=0  n=2000  d=1 */
/* expect: flag   -> flags    dk=0  n=2000  d=1 */

        .globl  _start
_start: leaq    .Lbuffer(%rip), %rsi
        xorl    %r8d, %r8d
        movl    $2000, %ecx
.Lone:  leaq    1(%rsi), %rax
.Lplus: movl    %ecx, (%rax)
.Lpluses: movb  3(%rax), %dl
        decl    %ecx
        jnz     .Lone

        movl    $2000, %ecx
.Ltwo:  movq    %rsi, %rax
        orq     $2, %rax
.Lor:   movl    %ecx, (%rax)
.Lors:  movb    3(%rax), %dl
        decl    %ecx
        jnz     .Ltwo

        movl    $2000, %ecx
.Lthree: movb   $3, %sil                # the buffer is a multiple of 256
.Lpart: movl    %ecx, (%rsi)
.Lparts: movb   3(%rsi), %dl
        movb    $0, %sil
        decl    %ecx
        jnz     .Lthree

        movl    $2000, %ecx
        leaq    4(%rsi,%rsi), %rdi
.Lfour: movq    %rdi, %rax
        shrq    $1, %rax                # 2 too many, by a 64-bit address
.Lshift: movq   %rcx, (%rax)
.Lshifts: movb  7(%rax), %dl
        decl    %ecx
        jnz     .Lfour

        movl    $2000, %ecx
.Lfive: leaq    3(%rsi), %rax
        testl   %ecx, %ecx
        cmovzq  %rsi, %rax
.Lchoice: movl  %ecx, (%rax)
.Lchoices: movb 3(%rax), %dl
        decl    %ecx
        jnz     .Lfive

        movl    $2000, %ecx
.Lhalf: leaq    3(%rsi), %rdx
        movq    %rsi, %rax
        testl   %ecx, %ecx
        cmovnzq %rdx, %rax
.Lother: movl   %ecx, (%rax)
.Lothers: movb  3(%rax), %dl
        decl    %ecx
        jnz     .Lhalf

        movl    $2000, %ecx
.Lsix:  xorl    %eax, %eax
        testq   %rsi, %rsi
        setnz   %al
        addq    %rsi, %rax
.Lflag: movl    %ecx, (%rax)
.Lflags: movb   3(%rax), %dl
        decl    %ecx
        jnz     .Lsix

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 256
.Lbuffer: .skip 512
