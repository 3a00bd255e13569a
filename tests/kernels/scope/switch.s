/* The cases of a switch in a loop: nothing but a table says where they are. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: first -> first  block=1  loop=1  n=9 */
/* expect: second -> second  block=1  loop=1  n=9 */
/* expect: scratch -> scratch  block=1  loop=-  n=0 */

        .globl  _start
        .type   _start, @function
_start: movl    $20, %ebx
.Lhead: movl    %ebx, %eax
        andl    $1, %eax
        leaq    table(%rip), %rcx
        movq    $0, third(%rip)
        jmp     *(%rcx,%rax,8)
        nop
.Lcase0:
.Lfirst: addq   $1, first(%rip)
.Lscratch: addq $1, third(%rip)
        jmp     .Ltail
        nop
.Lcase1:
.Lsecond: addq  $1, second(%rip)
.Ltail: decl    %ebx
        jnz     .Lhead

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
        .size   _start, . - _start

        .data
table:  .quad   .Lcase0, .Lcase1
        .bss
first:  .zero   8
second: .zero   8
third:  .zero   8
