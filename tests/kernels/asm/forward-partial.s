/* Loads of some bytes of one store, and of others that nothing stored. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: word -> quad   dk=0  n=1000  d=1 */
/* expect: word -> before dk=0  n=1000  d=2 */
/* expect: byte -> half   dk=0  n=1000  d=1 */
/* expect: low  -> vec    dk=0  n=1000  d=1 */
/* forward: word -> quad   partial=1000 */
/* forward: word -> before partial=1000 */
/* forward: byte -> half   partial=1000 */
/* forward: low  -> vec    partial=1000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
.Lloop:
.Lword: movl    %ecx, 16(%rbx)
.Lquad: movq    16(%rbx), %rax
.Lbefore: movq  14(%rbx), %rax
.Lbyte: movb    %cl, 65(%rbx)
.Lhalf: movw    64(%rbx), %ax
.Llow:  movq    %rcx, 128(%rbx)
.Lvec:  movups  128(%rbx), %xmm1
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4096
