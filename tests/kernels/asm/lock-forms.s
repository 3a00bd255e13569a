/* Locked instructions with one operand and two, each two reads for VEX. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store     -> increment  dk=0  n=2000  d=1 */
/* expect: increment -> negate     dk=0  n=2000  d=1 */
/* expect: negate    -> or         dk=0  n=2000  d=1 */
/* expect: or        -> set        dk=0  n=2000  d=1 */
/* expect: set       -> load       dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movl   %ecx, -8(%rsp)
.Lincrement: lock incl -8(%rsp)
.Lnegate: lock negl -8(%rsp)
.Lor:   lock orl $1, -8(%rsp)
.Lset:  lock btsl $3, -8(%rsp)
.Lload: movl    -8(%rsp), %eax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
