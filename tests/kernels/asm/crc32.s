/* crc32 loads 1, 2, 4 or 8 bytes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: sse4_2 */
/* expect: store -> byte  dk=0  n=1000  d=2 */
/* expect: high  -> word  dk=0  n=1000  d=2 */
/* expect: store -> long  dk=0  n=1000  d=4 */
/* expect: high  -> long  dk=0  n=1000  d=3 */
/* expect: store -> quad  dk=0  n=1000  d=5 */
/* expect: high  -> quad  dk=0  n=1000  d=4 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -8(%rsp)
.Lhigh: movw    %cx, -6(%rsp)
.Lbyte: crc32b  -8(%rsp), %eax
.Lword: crc32w  -6(%rsp), %eax
.Llong: crc32l  -8(%rsp), %eax
.Lquad: crc32q  -8(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
