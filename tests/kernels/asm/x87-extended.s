/* x87 stores and loads ten bytes, and eight as an integer or a double. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: wide    -> low     dk=0  n=1000  d=1 */
/* expect: wide    -> high    dk=0  n=1000  d=2 */
/* expect: before  -> beside  dk=0  n=1000  d=5 */
/* expect: wide    -> read    dk=0  n=1000  d=4 */
/* expect: integer -> back    dk=0  n=1000  d=1 */
/* expect: double  -> last    dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lbefore: movq  %rcx, -8(%rsp)
        fldpi
.Lwide: fstpt   -16(%rsp)               # bytes -16 to -7
.Llow:  movq    -16(%rsp), %rax
.Lhigh: movw    -8(%rsp), %ax
.Lbeside: movw  -6(%rsp), %ax
.Lread: fldt    -16(%rsp)
.Linteger: fistpll -32(%rsp)
.Lback: fildll  -32(%rsp)
.Ldouble: fstpl -40(%rsp)
.Llast: movq    -40(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
