/* A slot of the stack, and a global, that another block overwrites on the way,
   beside one of each that it leaves alone. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: slot -> slot  block=1  loop=-  n=0 */
/* expect: global -> global  block=1  loop=-  n=0 */
/* expect: stays -> stays  block=1  loop=1  n=9 */
/* expect: remains -> remains  block=1  loop=1  n=9 */

        .globl  _start
_start: movl    $10, %ebx
        xorl    %edx, %edx
.Lslot: addq    $1, -8(%rsp)
.Lstays:
        addq    $1, -16(%rsp)
.Lglobal:
        addq    $1, first(%rip)
.Lremains:
        addq    $1, second(%rip)
        testl   %edx, %edx
        jnz     .Lend
        movq    $0, -8(%rsp)
        movq    $0, first(%rip)
        decl    %ebx
        jnz     .Lslot

.Lend:  movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
first:  .zero   8
second: .zero   8
