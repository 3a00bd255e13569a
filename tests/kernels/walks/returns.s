/* A call of what ends the program does not come back, although it calls that
   through another function. */
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
die:    subq    $8, %rsp
        call    end
        addq    $8, %rsp
        .size   die, . - die

        .type   end, @function
end:    movl    $231, %eax
        syscall
        ud2
        .size   end, . - end
        .size   f, . - f
