/* Short loops that end after 1 to 40 rounds.  In the first, addresses stay
   multiples of what they were; in the second, they do not; the third begins
   itself again from two places. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: put  -> get   dk=0  n=41000  d=1 */
/* expect: put  -> old   dk=1  n=39000  d=5 */
/* expect: over -> same  dk=0  n=41000  d=1 */
/* expect: over -> both  dk=-  n=2000   d=5..195 */
/* expect: sum  -> sum   dk=1  n=81999  d=3..458 */

        .globl  _start
_start: leaq    .Lcells(%rip), %rbx
        movl    $50, %r8d
.Lagain:
        movl    $1, %edx
.Ltrips:
        movl    %edx, %ecx
        movq    %rbx, %rsi
.Lold:  movl    (%rsi), %eax
.Lput:  movl    %ecx, 4(%rsi)
.Lget:  movl    4(%rsi), %eax
        addq    $4, %rsi
        decl    %ecx
        jnz     .Lold

        movl    %edx, %ecx
        leaq    512(%rbx), %rsi
        testl   %ecx, %ecx              # so that a superblock begins there
        jnz     .Lover
        hlt
.Lover: movl    %ecx, (%rsi)
.Lsame: movl    (%rsi), %eax
        addq    $2, %rsi
        decl    %ecx
        jnz     .Lover
.Lboth: movl    512(%rbx), %eax

        movl    %edx, %ecx
        movl    $2, %edi
.Lsum:  addl    %ecx, 1024(%rbx)
        decl    %ecx
        jnz     .Lsum
        movl    %edx, %ecx
        decl    %edi
        jnz     .Lsum
        incl    %edx
        cmpl    $41, %edx
        jne     .Ltrips
        decl    %r8d
        jnz     .Lagain

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lcells: .skip  4096
