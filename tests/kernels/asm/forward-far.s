/* Loads of bytes that stores wrote more than 512 instructions before.  These count
   each by itself, and near stores as if the far ones were none. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: all  -> last  dk=0  n=1000  d=512 */
/* expect: byte -> last  dk=0  n=1000  d=1 */
/* expect: all  -> first dk=0  n=1000  d=513 */
/* expect: byte -> first dk=0  n=1000  d=2 */
/* expect: low  -> one   dk=0  n=1000  d=513 */
/* expect: high -> one   dk=0  n=1000  d=512 */
/* expect: low  -> none  dk=0  n=1000  d=514 */
/* expect: high -> none  dk=0  n=1000  d=513 */
/* expect: new  -> quad  dk=0  n=1000  d=1 */
/* expect: high -> quad  dk=0  n=1000  d=515 */
/* expect: vec  -> v     dk=0  n=1000  d=515 */
/* expect: vec  -> word  dk=0  n=1000  d=516 */
/* expect: fill -> four  dk=-  n=1000  d=4 */
/* expect: fill -> two   dk=-  n=1000  d=505 */
/* expect: fill -> alone dk=-  n=1000  d=509 */
/* expect: fill -> all4  dk=-  n=1000  d=513 */
/* expect: fill -> pair  dk=-  n=1000  d=514 */
/* forward: all  -> last  several=1000 */
/* forward: byte -> last  several=1000 */
/* forward: all  -> first partial=1000 */
/* forward: byte -> first partial=1000 */
/* forward: low  -> one   partial=1000 */
/* forward: high -> one   partial=1000 */
/* forward: low  -> none  partial=1000 */
/* forward: high -> none  partial=1000 */
/* forward: new  -> quad  partial=1000 */
/* forward: high -> quad  partial=1000 */
/* forward: vec  -> v     same=1000 */
/* forward: vec  -> word  contained=1000 */
/* forward: fill -> four  several=1000 */
/* forward: fill -> two   several=1000 */
/* forward: fill -> alone partial=1000 */
/* forward: fill -> all4  partial=1000 */
/* forward: fill -> pair  partial=1000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
.Lloop:
.Lall:  movq    %rcx, 16(%rbx)
.Llow:  movl    %ecx, 64(%rbx)
.Lhigh: movl    %ecx, 68(%rbx)
.Lvec:  movups  %xmm0, 128(%rbx)
        .rept   507
        nop
        .endr
.Lbyte: movb    %cl, 16(%rbx)
.Llast: movq    16(%rbx), %rax
.Lfirst: movq   16(%rbx), %rax
.Lone:  movq    64(%rbx), %rax
.Lnone: movq    64(%rbx), %rax
.Lnew:  movl    %ecx, 64(%rbx)
.Lquad: movq    64(%rbx), %rax
.Lv:    movups  128(%rbx), %xmm1
.Lword: movl    132(%rbx), %eax
        xorl    %esi, %esi
.Lfill: movl    %ecx, 192(%rbx,%rsi,4)
        incl    %esi
        cmpl    $4, %esi
        jb      .Lfill
.Lfour: movups  192(%rbx), %xmm1
        .rept   500
        nop
        .endr
.Ltwo:  movups  192(%rbx), %xmm1
        .rept   3
        nop
        .endr
.Lalone: movups 192(%rbx), %xmm1
        .rept   3
        nop
        .endr
.Lall4: movups  192(%rbx), %xmm1
.Lpair: movq    200(%rbx), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4096
