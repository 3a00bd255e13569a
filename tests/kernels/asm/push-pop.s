/* push stores through the stack pointer, pop loads through it; two in a row
   come back in the opposite order. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: push1 -> pop1  dk=0  n=1000  d=3 */
/* expect: push2 -> pop2  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lpush1: pushq  %rcx
.Lpush2: pushq  $7
.Lpop2: popq    %rax
.Lpop1: popq    %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
