/* rep stos of each width: one instruction for each element, and one for the
   last look at %rcx. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: bytes -> load1  dk=0  n=1000  d=23 */
/* expect: words -> load2  dk=0  n=1000  d=17 */
/* expect: longs -> load4  dk=0  n=1000  d=11 */
/* expect: quads -> load8  dk=0  n=1000  d=7 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
        leaq    .Lbuffer(%rip), %rdi
        movl    $4, %ecx
.Lbytes: rep stosb                      # bytes 0 to 3
        leaq    .Lbuffer+4(%rip), %rdi
        movl    $4, %ecx
.Lwords: rep stosw                      # bytes 4 to 11
        leaq    .Lbuffer+12(%rip), %rdi
        movl    $4, %ecx
.Llongs: rep stosl                      # bytes 12 to 27
        leaq    .Lbuffer+28(%rip), %rdi
        movl    $4, %ecx
.Lquads: rep stosq                      # bytes 28 to 59
.Lload1: movl   .Lbuffer(%rip), %edx
.Lload2: movq   .Lbuffer+4(%rip), %rdx
.Lload4: movups .Lbuffer+12(%rip), %xmm0
.Lload8: movups .Lbuffer+28(%rip), %xmm0
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
