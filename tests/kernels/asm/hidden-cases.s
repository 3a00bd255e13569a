/* Cases of a switch that only an indirect jump reaches: one after padding, and
   one that the case before it, which never comes, would run into. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: padded -> padded  dk=1  n=499  d=18 */
/* expect: unused -> unused  dk=1  n=0 */
/* expect: inner  -> inner   dk=1  n=499  d=18 */

        .globl  _start
_start: movl    $1000, %ebx
        leaq    offsets(%rip), %rdx
.Lloop: movl    %ebx, %eax
        andl    $1, %eax
        movslq  (%rdx,%rax,4), %rax
        addq    %rdx, %rax
        jmp     *%rax
        .p2align 5
.Lpadded: addq  $1, first(%rip)
        jmp     .Lnext
        .p2align 5
.Lunused: addq  $1, second(%rip)
.Linner: addq   $1, third(%rip)
        jmp     .Lnext
        .p2align 5
.Lnext: decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .section .rodata
offsets: .long  .Lpadded - offsets, .Linner - offsets
        .bss
first:  .skip   8
second: .skip   8
third:  .skip   8
