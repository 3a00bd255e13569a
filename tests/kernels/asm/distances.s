/* Twenty loads of what was stored one to twenty iterations before. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load1   dk=1  n=999  d=4 */
/* expect: store -> load2   dk=2  n=998  d=29 */
/* expect: store -> load3   dk=3  n=997  d=54 */
/* expect: store -> load4   dk=4  n=996  d=79 */
/* expect: store -> load5   dk=5  n=995  d=104 */
/* expect: store -> load6   dk=6  n=994  d=129 */
/* expect: store -> load7   dk=7  n=993  d=154 */
/* expect: store -> load8   dk=8  n=992  d=179 */
/* expect: store -> load9   dk=9  n=991  d=204 */
/* expect: store -> load10  dk=10  n=990  d=229 */
/* expect: store -> load11  dk=11  n=989  d=254 */
/* expect: store -> load12  dk=12  n=988  d=279 */
/* expect: store -> load13  dk=13  n=987  d=304 */
/* expect: store -> load14  dk=14  n=986  d=329 */
/* expect: store -> load15  dk=15  n=985  d=354 */
/* expect: store -> load16  dk=16  n=984  d=379 */
/* expect: store -> load17  dk=17  n=983  d=404 */
/* expect: store -> load18  dk=18  n=982  d=429 */
/* expect: store -> load19  dk=19  n=981  d=454 */
/* expect: store -> load20  dk=20  n=980  d=479 */

        .globl  _start
_start: movl    $1000, %ecx
        leaq    .Lelements+160(%rip), %rdi
.Lloop:
.Lload1: movq  -8(%rdi), %rax
.Lload2: movq  -16(%rdi), %rax
.Lload3: movq  -24(%rdi), %rax
.Lload4: movq  -32(%rdi), %rax
.Lload5: movq  -40(%rdi), %rax
.Lload6: movq  -48(%rdi), %rax
.Lload7: movq  -56(%rdi), %rax
.Lload8: movq  -64(%rdi), %rax
.Lload9: movq  -72(%rdi), %rax
.Lload10: movq  -80(%rdi), %rax
.Lload11: movq  -88(%rdi), %rax
.Lload12: movq  -96(%rdi), %rax
.Lload13: movq  -104(%rdi), %rax
.Lload14: movq  -112(%rdi), %rax
.Lload15: movq  -120(%rdi), %rax
.Lload16: movq  -128(%rdi), %rax
.Lload17: movq  -136(%rdi), %rax
.Lload18: movq  -144(%rdi), %rax
.Lload19: movq  -152(%rdi), %rax
.Lload20: movq  -160(%rdi), %rax
.Lstore: movq   %rcx, (%rdi)
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .bss
        .balign 64
.Lelements: .skip 8 * (1000 + 20)
