/* push and pop with an operand in memory load and store each; pop computes its
   operand's address with the stack pointer that it leaves. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> push     dk=0  n=1000  d=1 */
/* expect: push  -> pop      dk=0  n=1000  d=1 */
/* expect: pop   -> load     dk=0  n=1000  d=1 */
/* expect: flags -> unflags  dk=0  n=1000  d=1 */
/* expect: short -> unshort  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -64(%rsp)
.Lpush: pushq   -64(%rsp)
.Lpop:  popq    -72(%rsp)
.Lload: movq    -72(%rsp), %rax
.Lflags: pushfq
.Lunflags: popfq
.Lshort: pushw  %cx
.Lunshort: popw %ax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
