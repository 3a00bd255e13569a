/* What the kernels of this folder share.  Most are a loop, `.Lloop`, that counts a
   register down to 0. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  times rounds, counter=%ecx
        movl    $\rounds, \counter
.Lloop:
        .endm
        .macro  exit
        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
        .endm
        .macro  again counter=%ecx
        dec     \counter
        jnz     .Lloop
        exit
        .endm
        .macro  bss name, size, align=64
        .pushsection .bss
        .balign \align
\name: .skip   \size
        .popsection
        .endm
        # over NAME, REGISTER, SIZE[, ALIGN, OFFSET, ROUNDS]: a loop over a buffer, to whose
        # byte at OFFSET the register points
        .macro  over name, register, size, align=64, offset=+0, rounds=1000
        bss     \name, \size, \align
        movl    $\rounds, %ecx
        leaq    \name\offset(%rip), \register
.Lloop:
        .endm
        .globl  _start
_start:
