/* Loads of bytes that several stores wrote: halves, quarters, a byte in the
   middle; and of some that nothing stored, too. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: a    -> quad  dk=0  n=1000  d=2 */
/* expect: b    -> quad  dk=0  n=1000  d=1 */
/* expect: c    -> vec   dk=0  n=1000  d=2 */
/* expect: d    -> vec   dk=0  n=1000  d=1 */
/* expect: all  -> patch dk=0  n=1000  d=2 */
/* expect: byte -> patch dk=0  n=1000  d=1 */
/* expect: e    -> wide  dk=0  n=1000  d=3 */
/* expect: f    -> wide  dk=0  n=1000  d=2 */
/* expect: f    -> f4    dk=0  n=1000  d=1 */
/* forward: a    -> quad  several=1000 */
/* forward: b    -> quad  several=1000 */
/* forward: c    -> vec   several=1000 */
/* forward: d    -> vec   several=1000 */
/* forward: all  -> patch several=1000 */
/* forward: byte -> patch several=1000 */
/* forward: e    -> wide  several=1000 */
/* forward: f    -> wide  several=1000 */
/* forward: f    -> f4    same=1000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
.Lloop:
.La:    movl    %ecx, 16(%rbx)
.Lb:    movl    %ecx, 20(%rbx)
.Lquad: movq    16(%rbx), %rax
.Lc:    movq    %rcx, 64(%rbx)
.Ld:    movq    %rcx, 72(%rbx)
.Lvec:  movups  64(%rbx), %xmm1
.Lall:  movq    %rcx, 128(%rbx)
.Lbyte: movb    %cl, 131(%rbx)
.Lpatch: movq   128(%rbx), %rax
.Le:    movl    %ecx, 196(%rbx)
.Lf:    movl    %ecx, 200(%rbx)
.Lf4:   movl    200(%rbx), %eax
.Lwide: movups  192(%rbx), %xmm1
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4096
