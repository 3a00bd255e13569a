/* Half of the inner loop is aligned by instructions that are jumped over.  They
   lead nowhere: if they were an entry to that half, the other half, which comes
   back to itself, too, would be a loop of its own between two rounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  block=1  loop=1  n=9 */
/* expect: fixed -> fixed  block=1  loop=1  n=11 */

        .globl  _start
_start: movl    $3, %ebx
        leaq    array(%rip), %rdi
        leaq    total(%rip), %rbp
.Louter:
        xorl    %eax, %eax
        movl    $6, %ecx
        jmp     .Ltest
        nopw    0(%rax,%rax,1)
        nopl    (%rax)
.Lbody:
.Lload: movl    (%rdi,%rax,4), %edx
        addl    $1, %edx
.Lstore: movl   %edx, 4(%rdi,%rax,4)
.Lfixed: addq   $1, (%rbp)
        addq    $1, %rax
.Ltest: decl    %ecx
        jz      .Lnext
        cmpl    $2, %ecx
        jae     .Lbody
        addq    $2, %rax
        jmp     .Ltest
.Lnext: decl    %ebx
        jnz     .Louter

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
total:  .zero   8
array:  .zero   4 * 8
