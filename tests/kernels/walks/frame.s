/* What the kernels of this folder share: f, where walks begin, and tests of unknown bytes,
   each of which may lead out. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  maybe times=1
        .rept   \times
        addq    $1, %rsi
        cmpb    $7, (%rsi)
        jne     .Lout
        .endr
        .endm
        .globl  f
        .type   f, @function
f:
