/* A pointer is kept in a vector register: moved, shuffled, shifted by bytes,
   unpacked and put together again, spilled and filled with it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> moved     dk=0  n=1000  d=2 */
/* expect: store -> shuffled  dk=0  n=1000  d=6 */
/* expect: store -> shifted   dk=0  n=1000  d=10 */
/* expect: store -> unpacked  dk=0  n=1000  d=18 */
/* expect: store -> filled    dk=0  n=1000  d=21 */
/* expect: spill -> fill      dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements(%rip), %rdi
.Lloop:
        movq    %rdi, %xmm0
.Lstore: movq   %rcx, (%rdi)
        movq    %xmm0, %rax
.Lmoved: movq   (%rax), %rdx
        pshufd  $0x44, %xmm0, %xmm1
        movhlps %xmm1, %xmm2
        movq    %xmm2, %rax
.Lshuffled: movq (%rax), %rdx
        pslldq  $5, %xmm0
        psrldq  $5, %xmm0
        movq    %xmm0, %rax
.Lshifted: movq (%rax), %rdx
        pxor    %xmm4, %xmm4
        movdqa  %xmm0, %xmm3
        punpcklwd %xmm4, %xmm3          # words 0, 1, 2, 3, a zero behind each
        pshuflw $0x88, %xmm3, %xmm3
        pshufhw $0x88, %xmm3, %xmm3
        pshufd  $0x88, %xmm3, %xmm3
        movq    %xmm3, %rax
.Lunpacked: movq (%rax), %rdx
.Lspill: movups %xmm0, -24(%rsp)
.Lfill: movq    -24(%rsp), %rax
.Lfilled: movq  (%rax), %rdx
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 8 * 1000
