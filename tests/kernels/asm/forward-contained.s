/* Loads of some bytes of one store, wherever they lie in it.  What was stored over
   the rest does not matter. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: quad -> low   dk=0  n=1000  d=1 */
/* expect: quad -> high  dk=0  n=1000  d=2 */
/* expect: quad -> mid   dk=0  n=1000  d=3 */
/* expect: quad -> rest  dk=0  n=1000  d=5 */
/* expect: off  -> half  dk=0  n=1000  d=1 */
/* expect: vec  -> first dk=0  n=1000  d=1 */
/* expect: vec  -> last  dk=0  n=1000  d=2 */
/* expect: vec  -> inner dk=0  n=1000  d=3 */
/* forward: quad -> low   contained=1000 */
/* forward: quad -> high  contained=1000 */
/* forward: quad -> mid   contained=1000 */
/* forward: quad -> rest  contained=1000 */
/* forward: off  -> half  contained=1000 */
/* forward: vec  -> first contained=1000 */
/* forward: vec  -> last  contained=1000 */
/* forward: vec  -> inner contained=1000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
.Lloop:
.Lquad: movq    %rcx, 16(%rbx)
.Llow:  movl    16(%rbx), %eax
.Lhigh: movl    20(%rbx), %eax
.Lmid:  movw    19(%rbx), %ax
        movl    %ecx, 16(%rbx)
.Lrest: movl    20(%rbx), %eax
.Loff:  movq    %rcx, 68(%rbx)
.Lhalf: movl    72(%rbx), %eax
.Lvec:  movups  %xmm0, 136(%rbx)
.Lfirst: movq   136(%rbx), %rax
.Llast: movq    144(%rbx), %rax
.Linner: movq   140(%rbx), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4096
