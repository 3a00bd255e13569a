/* A load of bytes that one instruction stored in several executions: bytes one by
   one, words two by two, and vectors of which each covers half of the one
   before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: byte -> bytes  dk=-  n=1000  d=4 */
/* expect: half -> words  dk=-  n=1000  d=4 */
/* expect: over -> same   dk=0  n=7000  d=1 */
/* expect: over -> behind dk=0,1  n=7000  d=2 */
/* expect: over -> across dk=-  n=1000  d=6 */
/* forward: byte -> bytes  several=1000 */
/* forward: half -> words  several=1000 */
/* forward: over -> same   same=7000 */
/* forward: over -> behind partial=1000 several=6000 crossing=1000 */
/* forward: over -> across several=1000 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
.Lloop: xorl    %esi, %esi
.Lbyte: movb    %cl, (%rbx,%rsi)
        incl    %esi
        cmpl    $8, %esi
        jb      .Lbyte
.Lbytes: movq   (%rbx), %rax
        xorl    %esi, %esi
.Lhalf: movl    %ecx, 64(%rbx,%rsi,4)
        incl    %esi
        cmpl    $2, %esi
        jb      .Lhalf
.Lwords: movq   64(%rbx), %rax
        xorl    %esi, %esi
.Lover: movups  %xmm0, 128(%rbx,%rsi,8)
.Lsame: movups  128(%rbx,%rsi,8), %xmm1
.Lbehind: movups 124(%rbx,%rsi,8), %xmm1
        incl    %esi
        cmpl    $7, %esi
        jb      .Lover
.Lacross: movups 172(%rbx), %xmm1
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4096
