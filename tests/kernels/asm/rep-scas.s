/* repne scas ends with the element that it looks for, without a last look at
   %rcx; repe scas here with the count. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: text -> scan  dk=0  n=4000  d=4..7 */
/* expect: wide -> quad  dk=0  n=1000  d=4 */
/* expect: wide -> long  dk=0  n=1000  d=8 */
/* expect: wide -> word  dk=0  n=1000  d=12 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
.Ltext: movl    $0x00434241, .Lbuffer(%rip)
        leaq    .Lbuffer(%rip), %rdi
        xorl    %eax, %eax
        movl    $100, %ecx
.Lscan: repne scasb
.Lwide: movq    %rbx, .Lbuffer+8(%rip)
        leaq    .Lbuffer+8(%rip), %rdi
        movq    %rbx, %rax
        movl    $1, %ecx
.Lquad: repe scasq
        leaq    .Lbuffer+8(%rip), %rdi
        movl    $1, %ecx
.Llong: repe scasl
        leaq    .Lbuffer+8(%rip), %rdi
        movl    $1, %ecx
.Lword: repe scasw
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
