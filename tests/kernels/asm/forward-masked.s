/* A masked store is a store for each element: a load of one has the same bytes, a
   load of more has those of several, or of one and of none.  To staticdeps it is
   one store, which a load that straddles its elements does not match. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx */
/* expect: lanes -> one    dk=0  n=1000  d=1 */
/* expect: lanes -> two    dk=0  n=1000  d=2 */
/* expect: lanes -> part   dk=?  n=1000  d=3 */
/* expect: lanes -> inner  dk=?  n=1000  d=4 */
/* expect: lanes -> masked dk=0  n=2000  d=5 */
/* expect: lanes -> all    dk=0  n=1000  d=6 */
/* forward: lanes -> one    same=1000 */
/* forward: lanes -> two    several=1000 */
/* forward: lanes -> part   partial=1000 */
/* forward: lanes -> inner  contained=1000 */
/* forward: lanes -> masked same=2000 */
/* forward: lanes -> all    several=1000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
        movq    $-1, %rax
        movq    %rax, %xmm0             # the first two of four
.Lloop:
.Llanes: vmaskmovps %xmm1, %xmm0, 16(%rbx)
.Lone:  movl    16(%rbx), %eax
.Ltwo:  movq    16(%rbx), %rax
.Lpart: movq    20(%rbx), %rax
.Linner: movw   21(%rbx), %ax
.Lmasked: vmaskmovps 16(%rbx), %xmm0, %xmm2
.Lall:  movups  16(%rbx), %xmm2
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4096
