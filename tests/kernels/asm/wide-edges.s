/* Accesses that cross a cache line, and others that cross a page's end. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx */
/* expect: line -> across  dk=0  n=1000  d=1 */
/* expect: page -> below   dk=0  n=1000  d=1 */
/* expect: page -> above   dk=0  n=1000  d=2 */
/* expect: page -> both    dk=0  n=1000  d=4 */
/* expect: word -> both    dk=0  n=1000  d=1 */
/* expect: quad -> before  dk=0  n=1000  d=1 */
/* expect: quad -> behind  dk=0  n=1000  d=2 */
/* expect: page -> beyond  dk=0  n=1000  d=8 */
/* expect: far  -> last    dk=0  n=1000  d=1 */
/* expect: far  -> tail    dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lpages+4096(%rip), %rdi
.Lloop:
.Lline: vmovups %ymm0, 48(%rdi)         # bytes 48 to 79
.Lacross: vmovups 56(%rdi), %ymm1
.Lpage: vmovups %ymm0, -16(%rdi)        # bytes -16 to 15
.Lbelow: movq   -8(%rdi), %rax
.Labove: movq   8(%rdi), %rax
.Lword: movw    %cx, -1(%rdi)
.Lboth: vmovups -8(%rdi), %xmm1
.Lquad: movq    %rcx, -3(%rdi)          # bytes -3 to 4
.Lbefore: movb  -1(%rdi), %al
.Lbehind: movb  4(%rdi), %al
.Lbeyond: movb  5(%rdi), %al
.Lfar:  vmovups %ymm0, 4065(%rdi)       # one byte of the next page
.Llast: movb    4096(%rdi), %al
.Ltail: movq    4090(%rdi), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lpages: .skip  3 * 4096
