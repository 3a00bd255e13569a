/* A bit test whose index is a register reaches beyond its operand, to either
   side.  VEX accesses the byte that has the bit. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store      -> test        dk=0  n=1000  d=3 */
/* expect: below      -> set         dk=0  n=1000  d=4 */
/* expect: set        -> load        dk=0  n=1000  d=1 */
/* expect: below      -> load        dk=0  n=1000  d=5 */
/* expect: store      -> reset       dk=0  n=1000  d=8 */
/* expect: reset      -> complement  dk=0  n=1000  d=1 */
/* expect: complement -> byte        dk=0  n=1000  d=1 */
/* expect: store      -> near        dk=0  n=1000  d=11 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer+64(%rip), %rdi
.Lloop:
.Lstore: movq   %rcx, 8(%rdi)
.Lbelow: movw   %cx, -2(%rdi)
        movl    $70, %eax
.Ltest: btq     %rax, (%rdi)            # in byte 8
        movq    $-9, %rax
.Lset:  btsq    %rax, (%rdi)            # in byte -2
.Lload: movw    -2(%rdi), %ax
        movl    $127, %eax
.Lreset: btrq   %rax, (%rdi)            # in byte 15
.Lcomplement: btcl %eax, (%rdi)         # in byte 15
.Lbyte: movb    15(%rdi), %al
.Lnear: movb    14(%rdi), %al
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
