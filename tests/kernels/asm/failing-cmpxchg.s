/* A compare-and-swap that fails reads and does not write. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> swap  dk=0  n=1000  d=2 */
/* expect: store -> load  dk=0  n=1000  d=3 */
/* oracle: off, because lackey shows a store even when it fails */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -8(%rsp)
        leaq    1(%rcx), %rax
.Lswap: lock cmpxchgq %rbx, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
