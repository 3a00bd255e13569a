/* A narrow store covers a part of a wide one: what lies beside it keeps its
   writer. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: wide   -> around  dk=0  n=1000  d=2 */
/* expect: narrow -> around  dk=0  n=1000  d=1 */
/* expect: narrow -> inside  dk=0  n=1000  d=2 */
/* expect: wide   -> beside  dk=0  n=1000  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lwide: movq    %rcx, -8(%rsp)          # bytes -8 to -1
.Lnarrow: movw  %cx, -6(%rsp)           # bytes -6 and -5
.Laround: movl  -8(%rsp), %eax
.Linside: movb  -5(%rsp), %al
.Lbeside: movl  -4(%rsp), %eax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
