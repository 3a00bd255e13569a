/* Conditional moves whose condition is known to be false when the code is
   translated, so that nobody uses what they load: in a loop that is short
   enough to be unrolled, and beside instructions of the x87. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: first  -> short  dk=-  n=1000  d=2..3998 */
/* expect: second -> x87    dk=-  n=1000  d=4..5998 */

        .globl  _start
_start: movl    $1000, %ecx
.Lfirst: movq   %rcx, -8(%rsp)
.Lone:  cmpl    %ecx, %ecx
.Lshort: cmovneq -8(%rsp), %rax
        decl    %ecx
        jnz     .Lone

        movl    $1000, %ecx
.Lsecond: movq  %rcx, -8(%rsp)
.Ltwo:  cmpl    %ecx, %ecx
        fld1
        fstp    %st(0)
.Lx87:  cmovneq -8(%rsp), %rax
        decl    %ecx
        jnz     .Ltwo

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
