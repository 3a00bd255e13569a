/*
 * long-run: ROUNDS times TURNS times round a loop of 60 instructions, as many
 * as Valgrind translates at once, so that many turns take little time.
 *
 * One instruction of the loop reads what it stored a turn before, and what was
 * stored before the loop is read after it:
 *
 *     at the start     3 instructions
 *     a round          2, the second of them the store `first`
 *       a turn        60, the first of them `step`
 *                      3, the first of them the load `last`
 *     at the end       3
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
        .globl  _start, first, step, last
_start: movl    $ROUNDS, %ebx
        leaq    count(%rip), %rdi
        leaq    mark(%rip), %rsi

round:  movabs  $TURNS, %rcx
first:  movq    %rcx, (%rsi)

step:   addq    $1, (%rdi)
        .fill   57, 1, 0x90             # nop
        decq    %rcx
        jnz     step

last:   movq    (%rsi), %rdx
        decl    %ebx
        jnz     round

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
count:  .skip   8
mark:   .skip   8
