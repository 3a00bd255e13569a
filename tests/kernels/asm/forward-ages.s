/* A vector of two words that one instruction stored.  Both are near, in 1000 rounds less
   than in 1000 others; then the first one is far, with the second where it was. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: put -> get  dk=-  n=3000  d=288..408 */
/* forward: put -> get  partial=1000 several=2000 */

        .globl  _start
        # between the stores \between times 2 instructions and 5 others
        .macro  rounds between, after
        movl    $\between, %r8d
        movl    $\after, %r9d
        movl    $1000, %ebx
        leaq    1f(%rip), %rdx
        jmp     .Lround
1:
        .endm
_start: leaq    .Lbuffer(%rip), %rdi
        rounds  1, 140
        rounds  1, 200
        rounds  59, 142
        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lround: xorl   %esi, %esi
.Lput:  movq    %rax, (%rdi,%rsi,8)
        movl    %r8d, %ecx
.Lwait: decl    %ecx
        jnz     .Lwait
        incl    %esi
        cmpl    $2, %esi
        jb      .Lput
        movl    %r9d, %ecx
.Lmore: decl    %ecx
        jnz     .Lmore
.Lget:  movdqu  (%rdi), %xmm0
        decl    %ebx
        jnz     .Lround
        jmp     *%rdx

        .bss
        .balign 64
.Lbuffer: .skip 64
