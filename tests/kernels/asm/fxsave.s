/* fxsave and fxrstor access x87's state, MXCSR and each XMM register on its
   own: 18 accesses.  The store changes half a register. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: save  -> part     dk=0  n=1000  d=1 */
/* expect: save  -> restore  dk=0  n=18000  d=3 */
/* expect: store -> restore  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
.Lloop:
.Lsave: fxsave  (%rdi)
.Lpart: movq    160(%rdi), %rax         # %xmm0
.Lstore: movq   %rcx, 176(%rdi)         # %xmm1
.Lrestore: fxrstor (%rdi)
        movq    416(%rdi), %rax         # reserved
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
