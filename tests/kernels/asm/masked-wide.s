/* Masked loads and stores of 32 bytes access the elements whose mask is set,
   each on its own.  The mask is longs 0, 2, 3 and 7, or quads 1 and 3. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: avx2 */
/* expect: mask0 -> mask   dk=0  n=1000  d=5 */
/* expect: mask1 -> mask   dk=0  n=1000  d=4 */
/* expect: mask2 -> mask   dk=0  n=1000  d=3 */
/* expect: mask3 -> mask   dk=0  n=1000  d=1 */
/* expect: all   -> read   dk=0  n=1000  d=2 */
/* expect: longs -> read   dk=0  n=1000  d=1 */
/* expect: longs -> long0  dk=0  n=1000  d=3 */
/* expect: all   -> long1  dk=0  n=1000  d=5 */
/* expect: quads -> long2  dk=0  n=1000  d=3 */
/* expect: all   -> long4  dk=0  n=1000  d=7 */
/* expect: quads -> long6  dk=0  n=1000  d=5 */
/* expect: quads -> some   dk=0  n=2000  d=6 */
/* expect: longs -> more   dk=0  n=1000  d=9 */
/* expect: quads -> more   dk=0  n=3000  d=7 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lbuffer(%rip), %rdi
.Lloop:
        movl    $0xffffffff, %eax       # zero-extended
.Lmask0: movq   %rax, 64(%rdi)
.Lmask1: movq   $-1, 72(%rdi)
.Lmask2: movq   $0, 80(%rdi)
        shlq    $32, %rax
.Lmask3: movq   %rax, 88(%rdi)
.Lmask: vmovups 64(%rdi), %ymm0
.Lall:  vmovups %ymm1, (%rdi)
.Llongs: vmaskmovps %ymm1, %ymm0, (%rdi)
.Lread: vmovups (%rdi), %ymm2
.Lquads: vpmaskmovq %ymm1, %ymm0, (%rdi)
.Llong0: movl   (%rdi), %eax
.Llong1: movl   4(%rdi), %eax
.Llong2: movl   8(%rdi), %eax
.Llong4: movl   16(%rdi), %eax
.Llong6: movl   24(%rdi), %eax
.Lsome: vpmaskmovq (%rdi), %ymm0, %ymm2
.Lmore: vpmaskmovd (%rdi), %ymm0, %ymm2
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lbuffer: .skip 1024
