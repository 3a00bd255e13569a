/* A call and a jump through memory load where they go. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store  -> call    dk=0  n=1000  d=2 */
/* expect: target -> jump    dk=-  n=1000  d=2 */
/* expect: call   -> return  dk=-  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lcallee(%rip), %rdx
        leaq    .Lreturn(%rip), %rsi
.Lloop:
.Lstore: movq   %rdx, -64(%rsp)
.Ltarget: movq  %rsi, -72(%rsp)
.Lcall: call    *-64(%rsp)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
.Lcallee:
.Ljump: jmp     *-64(%rsp)
.Lreturn: ret
