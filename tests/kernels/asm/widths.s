/* Accesses of 1, 2, 4, 8 and 16 bytes: any byte in common is enough, and
   bytes beside each other are not. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store16 -> load8   dk=0  n=1000  d=4 */
/* expect: store2  -> load8   dk=0  n=1000  d=2 */
/* expect: store1  -> load16  dk=0  n=1000  d=4 */
/* expect: store2  -> load16  dk=0  n=1000  d=3 */
/* expect: store4  -> load16  dk=0  n=1000  d=2 */
/* expect: store16 -> load16  dk=0  n=1000  d=5 */
/* expect: store4  -> load1   dk=0  n=1000  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore16: movups %xmm0, -16(%rsp)      # bytes -16 to -1
.Lstore1: movb  %cl, -1(%rsp)
.Lstore2: movw  %cx, -10(%rsp)
.Lstore4: movl  %ecx, -8(%rsp)
.Lload8: movq   -16(%rsp), %rax
.Lload16: movups -16(%rsp), %xmm1
.Lload1: movb   -5(%rsp), %al
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
