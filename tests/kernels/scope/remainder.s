/* An iteration that was peeled off an inner loop: what it stores is not what it
   loads next time, since the pointer has gone on in between. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  block=1  loop=-  n=0 */
/* expect: sum -> sum  block=1  loop=1  n=9 */

        .globl  _start
_start: movl    $10, %ebx
        leaq    array(%rip), %rdi
        leaq    total(%rip), %rsi
.Lload: movq    (%rdi), %rax
.Lsum:  addq    %rax, (%rsi)
.Lstore: movq   %rax, (%rdi)
        movl    $3, %ecx
.Linner:
        addq    $8, %rdi
        decl    %ecx
        jnz     .Linner
        decl    %ebx
        jnz     .Lload

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
total:  .zero   8
array:  .zero   8 * 31
