/* rep stosb of 1023 elements and a last look at %rcx, each time further on.
   After 64 iterations these are 2^16 steps, where staticdeps ends: it sees what
   is read 63 iterations later, and not what is read after 64. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: fill -> seen   dk=63  n=137  d=65977 */
/* expect: fill -> missed dk=?   n=136  d=67009 */

        .globl  _start
_start: movl    $200, %ebx
        leaq    .Lbuffer(%rip), %r8
.Lloop:
        movq    %r8, %rdi
        movl    $1023, %ecx
.Lfill: rep stosb
.Lseen: movb    -64512(%r8), %al        # 63 * 1024
.Lmissed: movb  -65536(%r8), %dl
        addq    $1024, %r8
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
        .skip   65536
.Lbuffer: .skip 204800
