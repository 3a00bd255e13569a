/* Accesses of a part of a vector register. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: sse4_1 */
/* expect: low    -> all      dk=0  n=1000  d=6 */
/* expect: high   -> all      dk=0  n=1000  d=5 */
/* expect: single -> all      dk=0  n=1000  d=4 */
/* expect: word   -> all      dk=0  n=1000  d=3 */
/* expect: byte   -> all      dk=0  n=1000  d=2 */
/* expect: quad   -> all      dk=0  n=1000  d=1 */
/* expect: byte   -> insert   dk=0  n=1000  d=3 */
/* expect: low    -> insert   dk=0  n=1000  d=7 */
/* expect: single -> convert  dk=0  n=1000  d=6 */
/* expect: quad   -> upper    dk=0  n=1000  d=4 */
/* expect: single -> upper    dk=0  n=1000  d=7 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Llow:  movlps  %xmm0, -32(%rsp)        # bytes 0 to 7
.Lhigh: movhps  %xmm0, -24(%rsp)        # bytes 8 to 15
.Lsingle: movss %xmm0, -24(%rsp)        # bytes 8 to 11
.Lword: pextrw  $3, %xmm0, -20(%rsp)    # bytes 12 and 13
.Lbyte: pextrb  $3, %xmm0, -31(%rsp)    # byte 1
.Lquad: movnti  %ecx, -28(%rsp)         # bytes 4 to 7
.Lall:  movups  -32(%rsp), %xmm1
.Linsert: pinsrw $1, -32(%rsp), %xmm1
.Lconvert: cvtss2sd -24(%rsp), %xmm1
.Lupper: movhps -28(%rsp), %xmm1
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
