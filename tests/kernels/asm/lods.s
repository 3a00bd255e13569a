/* lods of each width.  (Valgrind 3.19 ignores a rep before it.) */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> byte  dk=0  n=1000  d=2 */
/* expect: store -> word  dk=0  n=1000  d=3 */
/* expect: store -> long  dk=0  n=1000  d=4 */
/* expect: other -> long  dk=0  n=1000  d=3 */
/* expect: other -> quad  dk=0  n=1000  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
        leaq    .Lbuffer(%rip), %rsi
.Lstore: movl   %ecx, (%rsi)
.Lother: movq   %rcx, 4(%rsi)
.Lbyte: lodsb                           # byte 0
.Lword: lodsw                           # bytes 1 and 2
.Llong: lodsl                           # bytes 3 to 6
.Lquad: lodsq                           # bytes 7 to 14
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
