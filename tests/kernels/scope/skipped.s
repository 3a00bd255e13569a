/* The body of a condition in a loop, which is now and then left out.  The
   rounds without it are not a loop on the way; the pointer moves outside of
   it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  block=-  loop=1  n=32 */
/* expect: same -> same  block=1  loop=-  n=0 */

        .globl  _start
_start: movl    $64, %ebx
        leaq    array(%rip), %rdi
.Lhead: testl   $3, %ebx
        jz      .Ltail
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 8(%rdi)
.Lsame: addq    $1, 1024(%rdi)
.Ltail: addq    $8, %rdi
        decl    %ebx
        jnz     .Lhead

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
array:  .zero   8 * 256
