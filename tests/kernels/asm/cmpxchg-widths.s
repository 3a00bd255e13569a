/* Compare-and-swaps of one and of two bytes access no more than that. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> byte  dk=0  n=1000  d=2 */
/* expect: byte  -> word  dk=0  n=1000  d=2 */
/* expect: store -> word  dk=0  n=1000  d=4 */
/* expect: word  -> load  dk=0  n=1000  d=1 */
/* expect: store -> load  dk=0  n=1000  d=5 */

        .globl  _start
_start: movl    $1000, %ebx
        movl    $0x1234, %ecx
.Lloop:
.Lstore: movl   %ebx, -8(%rsp)
        movl    %ebx, %eax
.Lbyte: lock cmpxchgb %cl, -8(%rsp)
        movb    %cl, %al
.Lword: lock cmpxchgw %cx, -8(%rsp)
.Lload: movl    -8(%rsp), %eax
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
