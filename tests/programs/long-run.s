/*
 * long-run: TURNS times round a loop of 60 instructions, as many as Valgrind
 * translates at once, so that a great many instructions take little time.
 *
 * One instruction of the loop reads what it stored a turn before, and what was
 * stored before the loop is read behind it:
 *
 *     before the loop     4 instructions, the last of them the store `first`
 *     a turn             60 instructions, the first of them `step`
 *     behind it           the load `last`, and 3 to exit
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
        .globl  _start, first, step, last
_start: movabs  $TURNS, %rcx
        leaq    count(%rip), %rdi
        leaq    mark(%rip), %rsi
first:  movq    %rcx, (%rsi)

step:   addq    $1, (%rdi)
        .fill   57, 1, 0x90             # nop
        decq    %rcx
        jnz     step

last:   movq    (%rsi), %rdx
        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
count:  .skip   8
mark:   .skip   8
