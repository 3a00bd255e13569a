/* A load that straddles two stores depends on both of them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: low  -> both  dk=0  n=1000  d=2 */
/* expect: high -> both  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Llow:  movl    %ecx, -8(%rsp)
.Lhigh: movl    %ecx, -4(%rsp)
.Lboth: movq    -8(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
