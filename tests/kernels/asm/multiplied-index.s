/* Elements of 24 bytes: the index is multiplied, or taken three times and
   scaled by eight, or the product is that of a one-operand multiplication. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> scaled  dk=1  n=999  d=5 */
/* expect: store -> full    dk=1  n=999  d=8 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+24(%rip), %rdi
        xorl    %esi, %esi
.Lloop:
        leaq    (%rsi,%rsi,2), %rax
.Lscaled: movq  -24(%rdi,%rax,8), %rdx
        movl    $24, %eax
        mulq    %rsi
.Lfull: movq    -24(%rdi,%rax), %rdx
        imulq   $24, %rsi, %rax
.Lstore: movq   %rcx, (%rdi,%rax)
        incq    %rsi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 24 * 1001
