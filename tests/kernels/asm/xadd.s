/* xadd loads and stores; with a lock prefix it is two reads for VEX, as
   lock-add says. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store  -> add     dk=0  n=1000  d=2 */
/* expect: add    -> locked  dk=0  n=2000  d=1 */
/* expect: locked -> load    dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -8(%rsp)
        movl    $1, %eax
.Ladd:  xaddq   %rax, -8(%rsp)
.Llocked: lock xaddq %rax, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
