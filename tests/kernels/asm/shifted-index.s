/* An index that a shift scales, one that the address scales, and one that
   additions scale are the same. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> shift  dk=1  n=999  d=6 */
/* expect: store -> sum    dk=1  n=999  d=10 */
/* expect: store -> right  dk=1  n=999  d=14 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+8(%rip), %rdi
        xorl    %esi, %esi
.Lloop:
        movq    %rsi, %rax
        shlq    $3, %rax
.Lshift: movq   -8(%rdi,%rax), %rdx
        leaq    (%rsi,%rsi), %rax
        addq    %rax, %rax
        addq    %rax, %rax
.Lsum:  movq    -8(%rdi,%rax), %rdx
        leaq    (,%rsi,8), %rax
        shrq    $3, %rax
        shlq    $3, %rax
.Lright: movq   -8(%rdi,%rax), %rdx
.Lstore: movq   %rcx, (%rdi,%rsi,8)
        incq    %rsi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 8 * 1001
