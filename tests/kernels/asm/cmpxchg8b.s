/* cmpxchg8b compares two halves, here first one that differs, then what the
   failure has learnt.  It reads both at once, and writes if both are equal. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
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
.Llow:  movl    %r8d, (%rdi)
.Lhigh: movl    %r8d, 4(%rdi)
        movl    %r8d, %eax
        leal    1(%r8), %edx
.Lfail: lock cmpxchg8b (%rdi)
.Lswap: lock cmpxchg8b (%rdi)
.Lload1: movl   (%rdi), %eax
.Lload2: movl   4(%rdi), %eax
        decl    %r8d
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
