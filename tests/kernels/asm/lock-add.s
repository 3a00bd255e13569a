/* lock add is two reads for VEX, a load and that of the compare-and-swap which
   then writes: two occurrences each time. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: add -> add  dk=1  n=1998  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lsum(%rip), %rdi
.Lloop:
.Ladd:  lock addl $1, (%rdi)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lsum:  .skip   4
