/* stmxcsr stores, and ldmxcsr loads, four bytes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: stmxcsr -8(%rsp)
.Lload: ldmxcsr -8(%rsp)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
