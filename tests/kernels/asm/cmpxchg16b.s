/* cmpxchg16b compares two halves, here first one that differs, then what the
   failure has learnt.  It reads both at once, and writes if both are equal. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: cx16 */
/* oracle: off, because no branch tells that it failed */
/* expect: low  -> fail   dk=0  n=1000  d=4 */
/* expect: high -> fail   dk=0  n=1000  d=3 */
/* expect: low  -> swap   dk=0  n=1000  d=5 */
/* expect: high -> swap   dk=0  n=1000  d=4 */
/* expect: swap -> load1  dk=0  n=1000  d=1 */
/* expect: swap -> load2  dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %r8d
        leaq    .Lbuffer(%rip), %rdi
.Lloop:
.Llow:  movq    %r8, (%rdi)
.Lhigh: movq    %r8, 8(%rdi)
        movq    %r8, %rax
        leaq    1(%r8), %rdx
.Lfail: lock cmpxchg16b (%rdi)
.Lswap: lock cmpxchg16b (%rdi)
.Lload1: movq   (%rdi), %rax
.Lload2: movq   8(%rdi), %rax
        decl    %r8d
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
