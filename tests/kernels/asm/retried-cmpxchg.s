/* A compare-and-swap that fails, learns the value, and is tried again: two
   reads of the store, and one write that is read later.  Its block, unrolled
   without the store, soon succeeds each time and reads its own write. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> swap  dk=-  n=2000  d=2..4 */
/* expect: swap  -> load  dk=-  n=1000  d=2 */
/* expect: swap  -> swap  dk=1  n=0 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -8(%rsp)
        leaq    1(%rcx), %rax
.Lretry:
.Lswap: lock cmpxchgq %rbx, -8(%rsp)
        jne     .Lretry
.Lload: movq    -8(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
