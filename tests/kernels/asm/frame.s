/* A frame as compilers make it: leave pops what the first push stored. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: push  -> leave  dk=0  n=1000  d=5 */
/* expect: local -> use    dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lpush: pushq   %rbp
        movq    %rsp, %rbp
        subq    $16, %rsp
.Llocal: movq   %rcx, -8(%rbp)
.Luse:  movq    -8(%rbp), %rax
.Lleave: leave
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
