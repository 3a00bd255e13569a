/* A callee that loads its argument, and pops it as it returns. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: push -> argument  dk=-  n=1000  d=2 */
/* expect: call -> return    dk=-  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lpush: pushq   %rcx
.Lcall: call    .Lcallee
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
.Lcallee:
.Largument: movq 8(%rsp), %rax
.Lreturn: ret   $8
