/* A gather of quadwords by quadwords: two of four elements, of one writer.  The
   other two are at the top of the stack for VEX, where there is a store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx2 */
/* oracle: off, because lackey shows a load at the top of the stack */
/* expect: wide -> gather  dk=?  n=2000  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
        vmovups .Lindices(%rip), %ymm2
        vmovups .Lmask(%rip), %ymm4
.Lloop:
.Lwide: vmovups %ymm0, (%rdi)
.Ltop:  movq    %rcx, (%rsp)
        vmovups %ymm4, %ymm1            # the gather clears it
.Lgather: vpgatherqq %ymm1, (%rdi,%ymm2,8), %ymm3
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .section .rodata
        .balign 32
.Lindices: .quad 0, 1, 2, 3
.Lmask: .quad   -1, 0, -1, 0
        .bss
        .balign 64
.Lbuffer: .skip 1024
