/* A gather loads only the elements whose mask is set, here the first of four;
   the others would be at the top of the stack. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx2 */
/* oracle: off, because lackey shows the loads at the top of the stack */
/* expect: first -> gather  dk=0  n=1000  d=5 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    -64(%rsp), %rsp
.Lloop:
.Ltop:  movl    %ecx, (%rsp)
.Lfirst: movl   %ecx, 16(%rsp)
        movl    $0xffffffff, %eax
        vmovd   %eax, %xmm1             # the mask: the first element
        movl    $4, %eax
        vmovd   %eax, %xmm2             # the indices: 4, 0, 0, 0
.Lgather: vpgatherdd %xmm1, (%rsp,%xmm2,4), %xmm3
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
