/* A loop on the way, which contains another one, and a call that is off the
   way: how often they go round is unknown, so what they write is forgotten,
   but for the stack pointer, and nothing else. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  block=-  loop=-  n=9 */
/* expect: moved -> moved  block=1  loop=-  n=0 */
/* expect: given -> given  block=1  loop=-  n=0 */
/* expect: fixed -> fixed  block=1  loop=1  n=9 */
/* expect: push -> pop  block=0  loop=0  n=60 */
/* expect: slot -> slot  block=1  loop=1  n=9 */

        .globl  _start
_start: movl    $10, %ebx
        subq    $64, %rsp
        leaq    array(%rip), %rdi
        leaq    total(%rip), %rbp
        leaq    other(%rip), %r8
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 48(%rdi)
.Lmoved: addq   $1, 24(%rdi)
.Lfixed: addq   $1, (%rbp)
.Lgiven: addq   $1, 24(%r8)
.Lslot: addq    $1, 24(%rsp)
        movl    $3, %ecx
.Lmiddle:
        movl    $2, %edx
.Linner:
.Lpush: pushq   %rdx
.Lpop:  popq    %rdx
        addq    $8, %rdi
        testl   $1, %edx
        jz      .Lrest
        call    .Lcallee
.Lrest: decl    %edx
        jnz     .Linner
        decl    %ecx
        jnz     .Lmiddle
        decl    %ebx
        jnz     .Lload

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

.Lcallee:
        addq    $8, %r8
        ret

        .bss
total:  .zero   8
array:  .zero   8 * 80
other:  .zero   8 * 80
