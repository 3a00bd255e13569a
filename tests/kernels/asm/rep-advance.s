/* rep stos leaves its pointer after the last element: the loads are of the last
   and of the first. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: fill -> last   dk=0  n=1000  d=2 */
/* expect: fill -> first  dk=0  n=1000  d=6 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
        leaq    .Lbuffer(%rip), %rdi
        movl    $4, %ecx
.Lfill: rep stosq
.Llast: movq    -8(%rdi), %rdx
.Lfirst: movq   -32(%rdi), %rdx
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 64
