/* Three pointers change places through moves: what one stored, the next one
   reads when it has come to its place. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> next  dk=1  n=999  d=10 */
/* expect: store -> last  dk=2  n=998  d=20 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements(%rip), %rdi
        leaq    64(%rdi), %rsi
        leaq    128(%rdi), %rdx
.Lloop:
.Lstore: movq   %rcx, (%rdi)
.Lnext: movq    (%rsi), %rax
.Llast: movq    (%rdx), %rbx
        movq    %rdx, %rax
        movq    %rsi, %rdx
        movq    %rdi, %rsi
        movq    %rax, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 192
