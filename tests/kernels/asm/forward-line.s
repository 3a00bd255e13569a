/* Loads that cross a line of 64 bytes, each time or one time in eight. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: quad -> q     dk=0  n=1000  d=1 */
/* expect: half -> h     dk=0  n=1000  d=1 */
/* expect: vec  -> v     dk=0  n=1000  d=1 */
/* expect: vec  -> none  dk=0  n=1000  d=2 */
/* expect: walk -> w     dk=0  n=1000  d=1 */
/* forward: quad -> q     same=1000 crossing=1000 */
/* forward: half -> h     same=1000 crossing=1000 */
/* forward: vec  -> v     same=1000 crossing=1000 */
/* forward: vec  -> none  contained=1000 */
/* forward: walk -> w     same=1000 crossing=125 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rbx
        leaq    256(%rbx), %rdi
.Lloop:
.Lquad: movq    %rcx, 60(%rbx)
.Lq:    movq    60(%rbx), %rax
.Lhalf: movw    %cx, 127(%rbx)
.Lh:    movw    127(%rbx), %ax
.Lvec:  movups  %xmm0, 184(%rbx)
.Lv:    movups  184(%rbx), %xmm1
.Lnone: movq    192(%rbx), %rax
.Lwalk: movups  %xmm0, (%rdi)
.Lw:    movups  (%rdi), %xmm1
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 4096
.Lbuffer: .skip 4 * 4096
