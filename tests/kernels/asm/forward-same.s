/* Loads of the bytes of one store: of each width, at any address. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: byte -> b  dk=0  n=1000  d=1 */
/* expect: half -> h  dk=0  n=1000  d=1 */
/* expect: word -> w  dk=0  n=1000  d=1 */
/* expect: quad -> q  dk=0  n=1000  d=1 */
/* expect: off  -> o  dk=0  n=1000  d=1 */
/* expect: odd  -> p  dk=0  n=1000  d=1 */
/* expect: vec  -> v  dk=0  n=1000  d=1 */
/* expect: late -> l  dk=0  n=1000  d=2 */
/* forward: byte -> b  same=1000 */
/* forward: half -> h  same=1000 */
/* forward: word -> w  same=1000 */
/* forward: quad -> q  same=1000 */
/* forward: off  -> o  same=1000 */
/* forward: odd  -> p  same=1000 */
/* forward: vec  -> v  same=1000 */
/* forward: late -> l  same=1000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
.Lloop:
.Lbyte: movb    %cl, 1(%rbx)
.Lb:    movb    1(%rbx), %al
.Lhalf: movw    %cx, 4(%rbx)
.Lh:    movw    4(%rbx), %ax
.Lword: movl    %ecx, 8(%rbx)
.Lw:    movl    8(%rbx), %eax
.Lquad: movq    %rcx, 16(%rbx)
.Lq:    movq    16(%rbx), %rax
.Loff:  movq    %rcx, 28(%rbx)
.Lo:    movq    28(%rbx), %rax
.Lodd:  movq    %rcx, 65(%rbx)
.Lp:    movq    65(%rbx), %rax
.Lvec:  movups  %xmm0, 132(%rbx)
.Lv:    movups  132(%rbx), %xmm1
.Llate: movq    %rcx, 200(%rbx)
        movl    %ecx, 208(%rbx)         # beside it
.Ll:    movq    200(%rbx), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4096
