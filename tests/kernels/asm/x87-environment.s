/* x87's environment (28 bytes), state (108), control and status words. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: stenv -> ldenv    dk=0  n=1000  d=1 */
/* expect: save  -> restore  dk=0  n=1000  d=1 */
/* expect: stcw  -> ldcw     dk=0  n=1000  d=1 */
/* expect: stsw  -> word     dk=0  n=1000  d=1 */
/* expect: stenv -> last     dk=0  n=1000  d=8 */
/* expect: save  -> end      dk=0  n=1000  d=7 */
/* expect: store -> beyond   dk=0  n=1000  d=11 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
.Lloop:
.Lstore: movq   %rcx, 28(%rdi)
.Lstenv: fnstenv (%rdi)                 # bytes 0 to 27
.Lldenv: fldenv (%rdi)
.Lsave: fnsave  64(%rdi)                # bytes 64 to 171
.Lrestore: frstor 64(%rdi)
.Lstcw: fnstcw  256(%rdi)
.Lldcw: fldcw   256(%rdi)
.Lstsw: fnstsw  256(%rdi)
.Lword: movw    256(%rdi), %ax
.Llast: movb    27(%rdi), %al
.Lend:  movb    171(%rdi), %al
.Lbeyond: movq  28(%rdi), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
