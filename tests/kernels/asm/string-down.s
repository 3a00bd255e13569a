/* String instructions without a prefix, downwards. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> move  dk=0  n=1000  d=3 */
/* expect: store -> more  dk=0  n=1000  d=4 */
/* expect: move  -> load  dk=0  n=1000  d=4 */
/* expect: more  -> load  dk=0  n=1000  d=3 */
/* expect: put   -> load  dk=0  n=1000  d=1 */
/* expect: put   -> get   dk=0  n=1000  d=3 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
        std
.Lstore: movq   %rcx, .Lbuffer(%rip)
        leaq    .Lbuffer+4(%rip), %rsi
        leaq    .Lbuffer+68(%rip), %rdi
.Lmove: movsl                           # the upper half
.Lmore: movsl                           # the lower half
        leaq    .Lbuffer+71(%rip), %rdi
.Lput:  stosb                           # the last byte
.Lload: movq    .Lbuffer+64(%rip), %rax
        leaq    .Lbuffer+71(%rip), %rsi
.Lget:  lodsb
        cld
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
