/* Rounds that are not alike are not all skipped: the first ones are walked, and all
   of a loop that does not take much. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> sixth  yes */
/* expect: store -> later  yes */
/* expect: long -> eighth  yes */

        .globl  f
        .type   f, @function
f:      xorl    %ecx, %ecx
.Lround: movl   %ecx, %eax
.Linner: subl   $1, %eax
        jns     .Linner
.Lstore: movq   %rcx, (%rdi,%rcx,8)
        cmpl    $6, %ecx
        jne     .Lnot6
.Lsixth: movq   -8(%rdi,%rcx,8), %rdx
.Lnot6: cmpl    $20, %ecx
        jne     .Lnot20
.Llater: movq   -8(%rdi,%rcx,8), %rdx
.Lnot20: addl   $1, %ecx
        cmpl    $30, %ecx
        jne     .Lround
        /* A million rounds. */
        xorl    %ecx, %ecx
.Lagain: movl   %ecx, %eax
.Lmore: subl    $1, %eax
        jns     .Lmore
.Llong: movq    %rcx, (%rsi,%rcx,8)
        cmpl    $8, %ecx
        jne     .Lnot8
.Leighth: movq  -8(%rsi,%rcx,8), %rdx
.Lnot8: addl    $1, %ecx
        cmpl    $1000000, %ecx
        jne     .Lagain
        ret
        .size   f, . - f
