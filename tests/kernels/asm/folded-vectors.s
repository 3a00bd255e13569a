/* Loads of which the result takes nothing, by the immediate operand or by a
   control in a register that VEX knows: they happen all the same. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx2 */
/* oracle: off, because VEX folds these loads for lackey, too */
/* expect: half -> blend    dk=0  n=1000  d=1 */
/* expect: half -> dot      dk=0  n=1000  d=2 */
/* expect: half -> align    dk=0  n=1000  d=3 */
/* expect: half -> insert   dk=0  n=1000  d=4 */
/* expect: all  -> blended  dk=0  n=1000  d=1 */
/* expect: all  -> permuted dk=0  n=2000  d=2 */
/* expect: bits -> bextr    dk=0  n=1000  d=2 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lhalf: vmovups %xmm1, -16(%rsp)
.Lblend: vblendps $0, -16(%rsp), %xmm1, %xmm2
.Ldot:  vdppd   $0, -16(%rsp), %xmm1, %xmm2
.Lalign: vpalignr $16, -16(%rsp), %xmm1, %xmm2
.Linsert: vinsertps $15, -12(%rsp), %xmm1, %xmm2
.Lall:  vmovups %ymm1, -64(%rsp)
.Lblended: vpblendd $0, -64(%rsp), %ymm1, %ymm2
        /* VEX loads each half. */
.Lpermuted: vperm2f128 $0x88, -64(%rsp), %ymm1, %ymm2
.Lbits: movl    %ecx, -72(%rsp)
        movl    $0x0828, %eax           # 8 bits from bit 40
.Lbextr: bextr  %eax, -72(%rsp), %edx
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
