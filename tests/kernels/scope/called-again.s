/* A function without a loop runs again when it is called again, which is taken
   to be with the same arguments: a counter stays, a lock is opened in between,
   and pushes do not follow each other. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: count -> count  block=1  loop=1  n=9 */
/* expect: global -> global  block=1  loop=1  n=9 */
/* expect: lock -> lock  block=1  loop=-  n=0 */
/* expect: push -> above  block=1  loop=-  n=0 */

        .globl  _start
        .type   _start, @function
_start: movl    $10, %r12d
.Lagain:
        leaq    counter(%rip), %rdi
        xorl    %esi, %esi
        call    function
        decl    %r12d
        jnz     .Lagain

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
        .size   _start, . - _start

        .type   function, @function
function:
        testl   %esi, %esi
        jnz     .Lout
        movq    %rdi, %rbx
        addq    $0, %rbx
        jz      .Lout
.Lpush: pushq   %rbx
.Labove: movq   8(%rsp), %rax
.Lcount: addq   $1, (%rbx)
.Lglobal: addq  $1, global(%rip)
.Llock: addl    $1, lock(%rip)
        testl   %esi, %esi
        jnz     .Lpop
        nop
.Lpop:  movl    $0, lock(%rip)
        popq    %rbx
.Lout:  ret
        .size   function, . - function

        .bss
counter: .zero  8
global: .zero   8
lock:   .zero   8
