/* Vectors that are loaded beside where they were stored: of a loop's loads, some
   find two stores, others cross a line, and the last ones find one. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx */
/* expect: fill -> same    dk=-  n=16000  d=65..95 */
/* expect: fill -> beside  dk=-  n=16000  d=62..96 */
/* expect: fill -> half    dk=-  n=16000  d=67..97 */
/* forward: fill -> same   same=16000 */
/* forward: fill -> beside several=15000 partial=1000 crossing=8000 */
/* forward: fill -> half   contained=16000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lcells(%rip), %rbx
.Lagain:
        xorl    %esi, %esi
.Lfill: vmovups %ymm0, (%rbx,%rsi)
        addl    $32, %esi
        cmpl    $512, %esi
        jb      .Lfill
        xorl    %esi, %esi
.Lsame: vmovups (%rbx,%rsi), %ymm1
.Lbeside: vmovups 8(%rbx,%rsi), %ymm2
.Lhalf: vmovups 16(%rbx,%rsi), %xmm3
        addl    $32, %esi
        cmpl    $512, %esi
        jb      .Lsame
        decl    %ecx
        jnz     .Lagain

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lcells: .skip  4096
