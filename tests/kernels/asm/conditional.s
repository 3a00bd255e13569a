/* A conditional move loads its operand even if the condition is false. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> move  dk=0  n=1000  d=2 */
/* expect: set   -> test  dk=0  n=1000  d=1 */
/* expect: store -> test  dk=0  n=1000  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -8(%rsp)
        cmpl    %ecx, %ecx
.Lmove: cmovneq -8(%rsp), %rax
.Lset:  sete    -7(%rsp)
.Ltest: testw   $1, -8(%rsp)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
