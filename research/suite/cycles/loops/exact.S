/*
 * Loops whose instructions are fixed, as no compiler writes them on demand.
 *
 * Each function has n in %rdi and the data in %rsi.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* loop GROUP, NAME, "ROUND"[, "BEFORE"]: a loop of these instructions, after those of
   BEFORE. */
        .macro  loop group, name, round, before
        .section loops, "aw", @progbits
        .balign 8
        .quad   1f
        .section .data.rel.ro, "aw", @progbits
        .balign 8
1:      .quad   2f, 3f, \name
        .section .rodata
2:      .asciz  "\group"
3:      .asciz  "\name"
        .text
        .balign 64
        .globl  \name
        .type   \name, @function
\name:
        \before
3:      \round
        dec     %rdi
        jnz     3b
        ret
        .size   \name, . - \name
        .endm

        /* One cell, by the ways to address it. */
        loop    memory, cell_base, "mov (%rsi), %rax; imul %rax, %rax; mov %rax, (%rsi)"
        loop    memory, cell_index, \
                "mov (%rsi,%rcx,8), %rax; imul %rax, %rax; mov %rax, (%rsi,%rcx,8)", \
                "xor %ecx, %ecx"
        loop    memory, cell_rip, \
                "mov cell(%rip), %rax; add $3, %rax; mov %rax, cell(%rip)"
        .local  cell
        .comm   cell, 64, 64
        loop    memory, cell_stack, \
                "mov -64(%rsp), %rax; add $3, %rax; mov %rax, -64(%rsp)"
        loop    memory, cell_pushed, "imul %rax, %rax; push %rax; pop %rax"
        loop    memory, cell_added_to, "addq $1, (%rsi)"
        loop    memory, cell_added, "add (%rsi), %rax; mov %rax, (%rsi)"
        loop    memory, cell_copied, "mov (%rsi), %rax; mov %rax, (%rsi)"
        loop    memory, two_cells_copied, \
                "mov (%rsi), %rax; mov %rax, 64(%rsi); mov 64(%rsi), %rcx; mov %rcx, (%rsi)"

        /* By width. */
        loop    memory, cell_word, "movzwl (%rsi), %eax; add $3, %eax; mov %ax, (%rsi)"
        loop    memory, cell_byte_sign, \
                "movsbl (%rsi), %eax; add $3, %eax; mov %al, (%rsi)"
        loop    memory, cell_int_sign, \
                "movslq (%rsi), %rax; imul %rax, %rax; mov %eax, (%rsi)"

        /* A part of what was stored. */
        loop    memory, low_half, "mov %rax, (%rsi); mov (%rsi), %eax; add $3, %rax"
        loop    memory, high_half, "mov %rax, (%rsi); mov 4(%rsi), %eax; shl $31, %rax"
        loop    memory, low_double_of_pair, \
                "movups %xmm0, (%rsi); movsd (%rsi), %xmm0; addsd %xmm0, %xmm0"
        loop    memory, high_double_of_pair, \
                "movups %xmm0, (%rsi); movsd 8(%rsi), %xmm0; addsd %xmm0, %xmm0"

        /* Failed forwards. */
        loop    memory, two_ints_to_long, \
                "mov %eax, (%rsi); mov %eax, 4(%rsi); mov (%rsi), %rax"
        loop    memory, two_doubles_to_pair, \
                "movsd %xmm0, (%rsi); movsd %xmm0, 8(%rsi); movups (%rsi), %xmm0"
        loop    memory, two_floats_to_double, \
                "movss %xmm0, (%rsi); movss %xmm0, 4(%rsi); movsd (%rsi), %xmm0"
        loop    memory, int_to_long, "mov %eax, (%rsi); mov (%rsi), %rax; add $3, %rax"
        loop    memory, bytes_to_int, \
                "movb %al, (%rsi); movb %al, 3(%rsi); mov (%rsi), %eax"

        /* Half of it is older. */
        loop    memory, pair_beside, \
                "movups 8(%rsi), %xmm0; mulpd %xmm0, %xmm0; movups %xmm0, 16(%rsi)"
        loop    memory, sliding_pair, \
                "movups -8(%rsi), %xmm0; addpd %xmm0, %xmm0; movups %xmm0, (%rsi); add $8, %rsi", \
                "add $8, %rsi"

        /* The chain of failed forwards is that of the store buffer. */
        loop    memory, failed_forward_moving, \
                "mov %edi, (%rsi); mov %edi, 4(%rsi); mov (%rsi), %rax; add $8, %rsi"

        /* Across a line. */
        loop    memory, cell_across_lines, \
                "movsd 60(%rsi), %xmm0; addsd %xmm0, %xmm0; movsd %xmm0, 60(%rsi)", \
                "and $-64, %rsi"

        /* At a distance of iterations. */
        loop    memory, two_chains, \
                "mov (%rsi), %rax; mov 64(%rsi), %rcx; imul %rax, %rax; mov %rcx, (%rsi); mov %rax, 64(%rsi)"
        loop    memory, integer_through_double, \
                "mov %rax, (%rsi); movsd (%rsi), %xmm0; cvttsd2si %xmm0, %rax"
        loop    memory, spilled, \
                "mov %rax, -64(%rsp); imul $3, -64(%rsp), %rcx; mov %rcx, -72(%rsp); mov -72(%rsp), %rax"

        /* Controls: such loops without a chain through memory. */
        loop    other, cell_overwritten, \
                "movq $1, (%rsi); mov (%rsi), %rax; imul %rax, %rax; mov %rax, 64(%rsi)"
        loop    other, failed_forward_beside, \
                "mov %edi, (%rsi); mov %edi, 4(%rsi); mov (%rsi), %rax"
        loop    other, long_multiplication, "imul %rax, %rax; imul %rax, %rax"
        loop    other, independent_divisions, \
                "movapd %xmm1, %xmm0; divsd %xmm2, %xmm0", \
                "movsd (%rsi), %xmm1; movsd 8(%rsi), %xmm2"

        .section .note.GNU-stack, "", @progbits
