/* A list of two nodes that closes on itself.  The block alone cannot know that
   the next node but one is this one: the method misses the dependency. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: count -> count  dk=?  n=998  d=8 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lfirst(%rip), %rdi
.Lloop:
        movq    (%rdi), %rdi
.Lcount: incq   8(%rdi)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .data
        .balign 8
.Lfirst: .quad  .Lsecond, 0
.Lsecond: .quad .Lfirst, 0
