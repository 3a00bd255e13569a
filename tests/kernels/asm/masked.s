/* A masked store writes only the lanes whose mask is set, here the first; a
   masked load reads only these. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx */
/* expect: all  -> second  dk=0  n=1000  d=5 */
/* expect: lane -> first   dk=0  n=1000  d=1 */
/* expect: lane -> masked  dk=0  n=1000  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lall:  movups  %xmm1, -16(%rsp)
        movl    $0xffffffff, %eax       # zero-extended
        movq    %rax, %xmm0
.Llane: vmaskmovps %xmm1, %xmm0, -16(%rsp)
.Lfirst: movl   -16(%rsp), %eax
.Lsecond: movl  -12(%rsp), %eax
.Lmasked: vmaskmovps -16(%rsp), %xmm0, %xmm2
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
