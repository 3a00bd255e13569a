/* xchg with memory is locked without a prefix, and so two reads for VEX. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> quad    dk=0  n=2000  d=1 */
/* expect: quad  -> load    dk=0  n=1000  d=1 */
/* expect: quad  -> byte    dk=0  n=2000  d=2 */
/* expect: byte  -> around  dk=0  n=1000  d=1 */
/* expect: quad  -> around  dk=0  n=1000  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -8(%rsp)
.Lquad: xchgq   %rax, -8(%rsp)
.Lload: movq    -8(%rsp), %rdx
.Lbyte: xchgb   %al, -8(%rsp)
.Laround: movl  -8(%rsp), %edx
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
