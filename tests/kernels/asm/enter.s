/* enter stores the frame pointer that leave loads. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: local -> use    dk=0  n=1000  d=1 */
/* expect: enter -> leave  dk=0  n=1000  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lenter: enter  $32, $0
.Llocal: movq   %rcx, -8(%rbp)
.Luse:  movq    24(%rsp), %rax
.Lleave: leave
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
