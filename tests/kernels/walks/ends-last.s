/* A tail call of what ends the program, by its name, does not come back. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: good -> load  yes */
/* expect: bad -> load  no  returns=yes */

        .globl  f
        .type   f, @function
f:      movq    %rdi, %rbx
.Lgood: movq    $1, (%rbx)
        testl   %esi, %esi
        je      .Lload
.Lbad:  movq    $2, (%rbx)
        call    die
.Lload: movq    (%rbx), %rax
        ret

        .type   die, @function
die:    xorl    %edi, %edi
        jmp     exit
        .size   die, . - die

        .type   exit, @function
exit:   movl    $231, %eax
        syscall
        ret
        .size   exit, . - exit
        .size   f, . - f
