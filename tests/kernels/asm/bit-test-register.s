/* A bit test of a register accesses no memory, but VEX stores the register far
   below the stack's top, and tests it there: what depsim sees of it is a limit.
   With a constant index it does not. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: test -> test  dk=0  n=1000  d=0 */
/* expect: set  -> set   dk=0  n=2000  d=0 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Ltest: btq     %rcx, %rdx
.Lset:  btsq    %rcx, %rdx
        btsq    $5, %rdx
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
