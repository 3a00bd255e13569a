/* movbe swaps bytes on the way, and accesses what a mov would. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: movbe */
/* expect: store -> load  dk=0  n=1000  d=1 */
/* expect: store -> long  dk=0  n=1000  d=3 */
/* expect: word  -> long  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movbe  %rcx, -8(%rsp)
.Lload: movbe   -8(%rsp), %rax
.Lword: movbe   %cx, -6(%rsp)
.Llong: movbe   -8(%rsp), %eax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
