/* rep stosb of 1023 elements and a last look at %rcx, each time further on.
   Two iterations are longer than a reorder buffer, where staticdeps ends: it
   sees what is read one iteration later, and not what is read after two. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: fill -> seen   dk=1  n=199  d=2055 */
/* expect: fill -> missed dk=?  n=198  d=3087 */

        .globl  _start
_start: movl    $200, %ebx
        leaq    .Lbuffer(%rip), %r8
.Lloop:
        movq    %r8, %rdi
        movl    $1023, %ecx
.Lfill: rep stosb
.Lseen: movb    -1024(%r8), %al
.Lmissed: movb  -2048(%r8), %dl
        addq    $1024, %r8
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
        .skip   2048
.Lbuffer: .skip 204800
