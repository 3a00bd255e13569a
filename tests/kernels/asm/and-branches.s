/* Two branches to one place, as of `a && b`: the second condition is executed only where
   the first branch is not taken. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=-  n=1000  d=3..6 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lplace(%rip), %rdi
.Lloop:
.Lstore: movl   %ecx, (%rdi)
        testl   $1, %ecx
        jnz     .Lload
        cmpl    $1000, %ecx
        je      .Lload
        nop
.Lload: movl    (%rdi), %eax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lplace: .skip  8
