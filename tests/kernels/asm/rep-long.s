/* rep movsb of 2^16 elements, which repeat the first byte: depsim counts each
   element.  A block that ran so many would take too long, so staticdeps looks at
   one: the limit of its method. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: first -> copy  dk=0  n=10      d=4 */
/* expect: copy  -> copy  dk=?  n=655350  d=1 */
/* expect: copy  -> load  dk=0  n=10      d=2 */

        .globl  _start
_start: movl    $10, %ebx
.Lloop:
        leaq    .Lbuffer(%rip), %rsi
.Lfirst: movb   %bl, (%rsi)
        leaq    1(%rsi), %rdi
        movl    $65536, %ecx
        nop
.Lcopy: rep movsb
.Lload: movb    -1(%rdi), %al
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 65600
