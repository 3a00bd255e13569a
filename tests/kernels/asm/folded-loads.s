/* Loads whose value does not matter, because VEX knows the other operand: they
   happen all the same.  Compilers that save space write x = 0 as a
   conjunction and x = -1 as a disjunction. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle: off, because VEX folds these loads for lackey, too */
/* expect: long  -> and      dk=0  n=1000  d=1 */
/* expect: quad  -> or       dk=0  n=1000  d=1 */
/* expect: word  -> narrow   dk=0  n=1000  d=1 */
/* expect: byte  -> test     dk=0  n=1000  d=1 */
/* expect: other -> imul     dk=0  n=1000  d=1 */
/* expect: other -> known    dk=0  n=1000  d=3 */
/* expect: wide  -> pand     dk=0  n=1000  d=2 */
/* expect: wide  -> shuffled dk=0  n=1000  d=3 */
/* forward: long  -> and      same=1000 */
/* forward: quad  -> or       same=1000 */
/* forward: word  -> narrow   same=1000 */
/* forward: byte  -> test     same=1000 */
/* forward: other -> imul     same=1000 */
/* forward: other -> known    same=1000 */
/* forward: wide  -> pand     same=1000 */
/* forward: wide  -> shuffled contained=1000 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Llong: movl    %ecx, -8(%rsp)
.Land:  andl    $0, -8(%rsp)
.Lquad: movq    %rcx, -16(%rsp)
.Lor:   orq     $-1, -16(%rsp)
.Lword: movw    %cx, -18(%rsp)
.Lnarrow: andw  $0, -18(%rsp)
.Lbyte: movb    %cl, -20(%rsp)
.Ltest: testb   $0, -20(%rsp)
.Lother: movl   %ecx, -28(%rsp)
.Limul: imull   $0, -28(%rsp), %edx
        xorl    %eax, %eax
.Lknown: andl   -28(%rsp), %eax
.Lwide: movaps  %xmm1, -64(%rsp)
        pxor    %xmm0, %xmm0
.Lpand: pand    -64(%rsp), %xmm0
.Lshuffled: andq -56(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
