/* xsave and xrstor access what %rax asks for: 1 is x87's state, 2 the XMM
   registers, 4 the upper halves of the YMM registers, each on its own.  They
   read the byte that says what is in the area, and xsave writes it; MXCSR goes
   with 2 and 4. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: xsave */
/* oracle: off, because lackey shows what a false guard keeps from happening */
/* expect: all -> sse      dk=0  n=1000  d=2 */
/* expect: all -> x87      dk=0  n=1000  d=3 */
/* expect: sse -> xmm      dk=0  n=1000  d=2 */
/* expect: all -> ymm      dk=0  n=1000  d=5 */
/* expect: sse -> restore  dk=0  n=2000  d=5 */
/* expect: all -> restore  dk=0  n=16000  d=7 */
/* expect: sse -> all      dk=1  n=999  d=9 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
        xorl    %edx, %edx
.Lloop:
        movl    $7, %eax
.Lall:  xsave   (%rdi)
        movl    $2, %eax
.Lsse:  xsave   (%rdi)
.Lx87:  movq    (%rdi), %rax
.Lxmm:  movq    160(%rdi), %rax
.Lymm:  movq    576(%rdi), %rax
        movl    $4, %eax
.Lrestore: xrstor (%rdi)
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
