/* getrandom writes the low half of the buffer: that half has no writer then,
   and the other half keeps the store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> high  dk=-  n=1000  d=7 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
.Lstore: movq   %rbx, -8(%rsp)
        leaq    -8(%rsp), %rdi
        movl    $4, %esi
        xorl    %edx, %edx
        movl    $318, %eax              # getrandom(buffer, 4, 0)
        syscall
        movl    -8(%rsp), %eax
.Lhigh: movl    -4(%rsp), %eax
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
