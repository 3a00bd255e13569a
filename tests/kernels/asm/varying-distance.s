/* A store before a loop is read in each of its three iterations: the distance
   varies, and the dependency spans two blocks. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=-  n=3000  d=2..8 */

        .globl  _start
_start: movl    $1000, %ecx
.Louter:
.Lstore: movq   %rcx, -8(%rsp)
        movl    $3, %edx
.Linner:
.Lload: movq    -8(%rsp), %rax
        decl    %edx
        jnz     .Linner
        decl    %ecx
        jnz     .Louter

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
