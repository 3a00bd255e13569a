/* rep movsb to one byte above its source repeats that byte: each element reads
   what the one before wrote. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: first -> copy  dk=0  n=1000  d=4 */
/* expect: copy  -> copy  dk=0  n=6000  d=1 */
/* expect: copy  -> load  dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
        leaq    .Lbuffer(%rip), %rsi
.Lfirst: movb   %bl, (%rsi)
        leaq    1(%rsi), %rdi
        movl    $7, %ecx
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
.Lbuffer: .skip 64
