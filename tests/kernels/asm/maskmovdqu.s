/* maskmovdqu stores the bytes whose mask is set, here three, and loads nothing.
   VEX shows a load and a store of all of them, which staticdeps takes as they
   are. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because lackey shows what VEX does */
/* expect: all  -> load    dk=?  n=1000  d=2 */
/* expect: some -> load    dk=0  n=1000  d=1 */
/* expect: some -> first   dk=0  n=1000  d=2 */
/* expect: all  -> second  dk=?  n=1000  d=4 */
/* expect: all  -> some    dk=0  n=0 */
/* expect: some -> second  dk=0  n=0 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
        movups  .Lmask(%rip), %xmm0
.Lloop:
.Lall:  movups  %xmm1, (%rdi)
.Lsome: maskmovdqu %xmm0, %xmm1
.Lload: movups  (%rdi), %xmm2
.Lfirst: movb   (%rdi), %al
.Lsecond: movb  1(%rdi), %al
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .section .rodata
        .balign 16
.Lmask: .quad   0x800000ff00000080, 0x0000000000007f7f
        .bss
        .balign 64
.Lbuffer: .skip 1024
