/* A jump past a lock prefix leads into the instruction: both ways are code, and each has
   executions of its own.  The second loop knows the inner instruction first. */
/* oracle: off, because a segment does not say which of two ways its bytes are read */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: plain -> plain  dk=1  n=999  d=5 */
/* expect: locked -> locked  dk=1  n=3998  d=5 */
/* expect: plain -> locked  dk=-  n=2  d=9 */
/* expect: inner -> inner  dk=1  n=0 */
/* expect: inner -> outer  dk=-  n=200  d=3 */
/* expect: outer -> outer  dk=1  n=1600  d=3 */
/* expect: outer -> inner  dk=-  n=99  d=7 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lsum(%rip), %rdi
        xorl    %esi, %esi
.Lloop: cmpl    $0, %esi
        je      .Lplain
.Llocked:
        lock
.Lplain:
        incl    (%rdi)
        decl    %ecx
        jnz     .Lloop
        movl    $2000, %ecx
        incl    %esi
        cmpl    $2, %esi
        jb      .Lloop

        leaq    .Lother(%rip), %rdi
        movl    $100, %edx
.Lrun:  movl    $10, %ecx
        jmp     .Linner
.Louter:
        lock
.Linner:
        incl    (%rdi)
        decl    %ecx
        jnz     .Louter
        decl    %edx
        jnz     .Lrun

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lsum:  .skip   4
        .balign 8
.Lother:
        .skip   4
