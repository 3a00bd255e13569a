/*
 * Loops whose instructions are fixed, as no compiler writes them on demand.
 *
 * Each function has n in %rdi and the data in %rsi.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* loop GROUP NAME ... endloop: `round` is the hot loop's label. */
        .macro  loop group, name
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
        .endm
        .macro  endloop name
        dec     %rdi
        jnz     3b
        ret
        .size   \name, . - \name
        .endm

        /* One cell, by the ways to address it. */
        loop    memory, cell_base
3:      mov     (%rsi), %rax
        imul    %rax, %rax
        mov     %rax, (%rsi)
        endloop cell_base

        loop    memory, cell_index
        xor     %ecx, %ecx
3:      mov     (%rsi,%rcx,8), %rax
        imul    %rax, %rax
        mov     %rax, (%rsi,%rcx,8)
        endloop cell_index

        loop    memory, cell_rip
3:      mov     cell(%rip), %rax
        add     $3, %rax
        mov     %rax, cell(%rip)
        endloop cell_rip
        .local  cell
        .comm   cell, 64, 64

        loop    memory, cell_stack
3:      mov     -64(%rsp), %rax
        add     $3, %rax
        mov     %rax, -64(%rsp)
        endloop cell_stack

        loop    memory, cell_pushed
3:      imul    %rax, %rax
        push    %rax
        pop     %rax
        endloop cell_pushed

        loop    memory, cell_added_to
3:      addq    $1, (%rsi)
        endloop cell_added_to

        loop    memory, cell_added
3:      add     (%rsi), %rax
        mov     %rax, (%rsi)
        endloop cell_added

        loop    memory, cell_copied
3:      mov     (%rsi), %rax
        mov     %rax, (%rsi)
        endloop cell_copied

        loop    memory, two_cells_copied
3:      mov     (%rsi), %rax
        mov     %rax, 64(%rsi)
        mov     64(%rsi), %rcx
        mov     %rcx, (%rsi)
        endloop two_cells_copied

        /* By width. */
        loop    memory, cell_word
3:      movzwl  (%rsi), %eax
        add     $3, %eax
        mov     %ax, (%rsi)
        endloop cell_word

        loop    memory, cell_byte_sign
3:      movsbl  (%rsi), %eax
        add     $3, %eax
        mov     %al, (%rsi)
        endloop cell_byte_sign

        loop    memory, cell_int_sign
3:      movslq  (%rsi), %rax
        imul    %rax, %rax
        mov     %eax, (%rsi)
        endloop cell_int_sign

        /* A part of what was stored. */
        loop    memory, low_half
3:      mov     %rax, (%rsi)
        mov     (%rsi), %eax
        add     $3, %rax
        endloop low_half

        loop    memory, high_half
3:      mov     %rax, (%rsi)
        mov     4(%rsi), %eax
        shl     $31, %rax
        endloop high_half

        loop    memory, low_double_of_pair
3:      movups  %xmm0, (%rsi)
        movsd   (%rsi), %xmm0
        addsd   %xmm0, %xmm0
        endloop low_double_of_pair

        loop    memory, high_double_of_pair
3:      movups  %xmm0, (%rsi)
        movsd   8(%rsi), %xmm0
        addsd   %xmm0, %xmm0
        endloop high_double_of_pair

        /* Failed forwards. */
        loop    memory, two_ints_to_long
3:      mov     %eax, (%rsi)
        mov     %eax, 4(%rsi)
        mov     (%rsi), %rax
        endloop two_ints_to_long

        loop    memory, two_doubles_to_pair
3:      movsd   %xmm0, (%rsi)
        movsd   %xmm0, 8(%rsi)
        movups  (%rsi), %xmm0
        endloop two_doubles_to_pair

        loop    memory, two_floats_to_double
3:      movss   %xmm0, (%rsi)
        movss   %xmm0, 4(%rsi)
        movsd   (%rsi), %xmm0
        endloop two_floats_to_double

        loop    memory, int_to_long
3:      mov     %eax, (%rsi)
        mov     (%rsi), %rax
        add     $3, %rax
        endloop int_to_long

        loop    memory, bytes_to_int
3:      movb    %al, (%rsi)
        movb    %al, 3(%rsi)
        mov     (%rsi), %eax
        endloop bytes_to_int

        /* Half of it is older. */
        loop    memory, pair_beside
3:      movups  8(%rsi), %xmm0
        mulpd   %xmm0, %xmm0
        movups  %xmm0, 16(%rsi)
        endloop pair_beside

        loop    memory, sliding_pair
        add     $8, %rsi
3:      movups  -8(%rsi), %xmm0
        addpd   %xmm0, %xmm0
        movups  %xmm0, (%rsi)
        add     $8, %rsi
        endloop sliding_pair

        /* The chain of failed forwards is that of the store buffer. */
        loop    memory, failed_forward_moving
3:      mov     %edi, (%rsi)
        mov     %edi, 4(%rsi)
        mov     (%rsi), %rax
        add     $8, %rsi
        endloop failed_forward_moving

        /* Across a line. */
        loop    memory, cell_across_lines
        and     $-64, %rsi
3:      movsd   60(%rsi), %xmm0
        addsd   %xmm0, %xmm0
        movsd   %xmm0, 60(%rsi)
        endloop cell_across_lines

        /* At a distance of iterations. */
        loop    memory, two_chains
3:      mov     (%rsi), %rax
        mov     64(%rsi), %rcx
        imul    %rax, %rax
        mov     %rcx, (%rsi)
        mov     %rax, 64(%rsi)
        endloop two_chains

        loop    memory, integer_through_double
3:      mov     %rax, (%rsi)
        movsd   (%rsi), %xmm0
        cvttsd2si %xmm0, %rax
        endloop integer_through_double

        loop    memory, spilled
3:      mov     %rax, -64(%rsp)
        imul    $3, -64(%rsp), %rcx
        mov     %rcx, -72(%rsp)
        mov     -72(%rsp), %rax
        endloop spilled

        /* Controls: such loops without a chain through memory. */
        loop    other, cell_overwritten
3:      movq    $1, (%rsi)
        mov     (%rsi), %rax
        imul    %rax, %rax
        mov     %rax, 64(%rsi)
        endloop cell_overwritten

        loop    other, failed_forward_beside
3:      mov     %edi, (%rsi)
        mov     %edi, 4(%rsi)
        mov     (%rsi), %rax
        endloop failed_forward_beside

        loop    other, long_multiplication
3:      imul    %rax, %rax
        imul    %rax, %rax
        endloop long_multiplication

        loop    other, independent_divisions
        movsd   (%rsi), %xmm1
        movsd   8(%rsi), %xmm2
3:      movapd  %xmm1, %xmm0
        divsd   %xmm2, %xmm0
        endloop independent_divisions

        .section .note.GNU-stack, "", @progbits
