/* rep movsb stores a byte an iteration and counts as one instruction for each,
   and for the last look at %rcx.  Eight stores of one instruction are one
   writer of the load: one occurrence, from the most recent. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: copy -> load  dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
        leaq    .Lfrom(%rip), %rsi
        leaq    .Lto(%rip), %rdi
        movl    $8, %ecx
.Lcopy: rep movsb
.Lload: movq    .Lto(%rip), %rax
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .data
        .balign 8
.Lfrom: .ascii  "eight by"
.Lto:   .skip   8
