/* What the kernels of this folder share: f, where walks begin, how other functions begin
   and all of them end, and tests of unknown bytes, each of which may lead out. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  maybe times=1
        .rept   \times
        addq    $1, %rsi
        cmpb    $7, (%rsi)
        jne     .Lout
        .endr
        .endm
        .macro  begin name
        .type   \name, @function
\name:
        .endm
        .macro  finish name
        ret
        .size   \name, . - \name
        .endm
        .globl  f
        begin   f
