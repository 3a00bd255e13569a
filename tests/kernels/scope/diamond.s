/* One arm of a branch, and the block in front of both.  The shortest way round
   goes by the block itself where it can, and by the shorter arm where it
   must: what the longer one overwrites is found. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: front -> front  block=1  loop=1  n=5 */
/* expect: arm -> arm  block=1  loop=1  n=4 */
/* expect: both -> both  block=1  loop=-  n=0 */

        .globl  _start
_start: movl    $10, %ebx
.Lfront: addq   $1, first(%rip)
.Lboth: addq    $1, third(%rip)
        testl   $1, %ebx
        jz      .Larm
        movq    $0, third(%rip)
        movq    $0, first(%rip)
        jmp     .Lcut
.Lcut:  jmp     .Ljoin
.Larm:  addq    $1, second(%rip)
        movq    $0, third(%rip)
.Ljoin: decl    %ebx
        jnz     .Lfront

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
first:  .zero   8
second: .zero   8
third:  .zero   8
