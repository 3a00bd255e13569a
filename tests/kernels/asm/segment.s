/* The same bytes through %fs and without.  The block alone does not know where
   %fs begins. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> again  dk=0  n=1000  d=1 */
/* expect: store -> flat   dk=?  n=1000  d=2 */
/* expect: low   -> high   dk=?  n=1000  d=1 */

        .globl  _start
_start: movl    $158, %eax              # arch_prctl(ARCH_SET_FS, buffer)
        movl    $0x1002, %edi
        leaq    .Lbuffer(%rip), %rsi
        syscall
        movl    $1000, %ebx
.Lloop:
.Lstore: movq   %rbx, %fs:8
.Lagain: movq   %fs:8, %rax
.Lflat: movq    8(%rsi), %rax
.Llow:  movq    %rbx, 16(%rsi)
.Lhigh: movl    %fs:20, %eax
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
