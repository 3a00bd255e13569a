/* A bit test of a register by a register accesses no memory.  VEX stores the
   register far below the stack's top, tests it there, and loads it again.  What
   it sets and clears is the index of the loads. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store  -> set     dk=0  n=1000  d=6 */
/* expect: store  -> reset   dk=0  n=1000  d=10 */
/* expect: store  -> change  dk=0  n=1000  d=14 */
/* expect: below  -> load    dk=0  n=1000  d=15 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
.Lloop:
.Lstore: movq   %rcx, 64(%rdi)
.Lbelow: movl   %ecx, -288(%rsp)
        btq     %rcx, %rdx
        xorl    %edx, %edx
        movl    $67, %eax               # bit 3
        btsq    %rax, %rdx
.Lset:  movb    (%rdi,%rdx,8), %al      # 8
        movl    $15, %eax
        btsw    %ax, %dx
        btrw    %ax, %dx
.Lreset: movb   (%rdi,%rdx,8), %al
        movl    $31, %eax
        btcl    %eax, %edx
        btcl    %eax, %edx
.Lchange: movb  (%rdi,%rdx,8), %al
        bt      %edx, %eax
.Lload: movl    -288(%rsp), %eax
        btsq    $5, %rdx
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
