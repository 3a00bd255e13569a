/* call stores the return address and ret loads it.  Both end their blocks, so
   that the dependency spans two. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: call -> return  dk=-  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
.Lcall: call    .Lcallee
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
.Lcallee:
.Lreturn: ret
