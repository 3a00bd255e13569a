/* An index that goes through floating point, which the method does not
   evaluate: both addresses are unknown to it, and the dependency is missed. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=?  n=1000  d=1 */

        .globl  _start
_start: movl    $999, %ecx
        leaq    .Lelements(%rip), %rdi
.Lloop:
        cvtsi2sdl %ecx, %xmm0
        cvttsd2si %xmm0, %rdx
.Lstore: movq   %rcx, (%rdi,%rdx,8)
.Lload: movq    (%rdi,%rdx,8), %rax
        decl    %ecx
        jns     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 8
.Lelements: .skip 8 * 1000
