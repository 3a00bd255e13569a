/* A gather of four elements: two of one writer, one of another, and one that
   its mask leaves out.  staticdeps takes the indices for unknown. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx2 */
/* oracle: off, because lackey shows a load at the top of the stack */
/* expect: one -> gather  dk=?  n=1000  d=4 */
/* expect: two -> gather  dk=?  n=2000  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
        vmovups .Lindices(%rip), %xmm2
        vmovups .Lmask(%rip), %xmm4
.Lloop:
.Lone:  movl    %ecx, (%rdi)
.Ltwo:  movq    %rcx, 8(%rdi)
.Lout:  movl    %ecx, 20(%rdi)
        vmovups %xmm4, %xmm1            # the gather clears it
.Lgather: vgatherdps %xmm1, (%rdi,%xmm2,4), %xmm3
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .section .rodata
        .balign 16
.Lindices: .long 0, 2, 3, 5
.Lmask: .long   -1, -1, -1, 0
        .bss
        .balign 64
.Lbuffer: .skip 1024
