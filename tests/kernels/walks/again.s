/* A function is called again: it reads what it wrote the last time, to a place of
   its own or to one that it is given. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: count -> count  yes  again=no */
/* expect: given -> first  yes  again=no */

        .globl  f
        .type   f, @function
f:      nop
.Lcount: addq   $1, counter(%rip)
.Lfirst: movq   (%rdi), %rax
.Lgiven: movq   %rsi, (%rdi)
        ret

        .bss
counter: .zero  8
        .text
        .size   f, . - f
