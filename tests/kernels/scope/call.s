/* A call in the body of a loop.  The stack pointer is the same each time, so
   that a slot is not its neighbour; the callee may change one of the pointers,
   and does; it leaves the other alone. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: slot -> neighbour  block=1  loop=-  n=0 */
/* expect: own -> own  block=-  loop=1  n=9 */
/* expect: call -> own  block=2  loop=-  n=0 */
/* expect: kept -> kept  block=1  loop=1  n=9 */
/* expect: changed -> changed  block=1  loop=-  n=0 */

        .globl  _start
_start: movl    $10, %r12d
        leaq    array(%rip), %rbx
        leaq    8(%rbx), %rdi
        subq    $64, %rsp
.Lneighbour:
        movq    32(%rsp), %rax
.Lslot: movq    %r12, 24(%rsp)
.Lown:  addq    $1, 8(%rsp)
.Lkept: addq    $1, (%rbx)
.Lchanged:
        addq    $1, (%rdi)
.Lcall: call    .Lcallee
        decl    %r12d
        jnz     .Lneighbour

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lcallee:
        addq    $8, %rdi
        ret

        .bss
array:  .zero   8 * 20
