/* The string comparisons of SSE 4.2 load 16 bytes, however long the strings. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: sse4_2 */
/* expect: low  -> index     dk=0  n=1000  d=2 */
/* expect: high -> index     dk=0  n=1000  d=1 */
/* expect: low  -> mask      dk=0  n=1000  d=3 */
/* expect: high -> mask      dk=0  n=1000  d=2 */
/* expect: low  -> explicit  dk=0  n=1000  d=4 */
/* expect: high -> explicit  dk=0  n=1000  d=3 */

        .globl  _start
_start: movl    $1000, %ebx
.Lloop:
.Llow:  movq    $0x4141, -16(%rsp)      # two characters and the end
.Lhigh: movq    %rbx, -8(%rsp)
.Lindex: pcmpistri $8, -16(%rsp), %xmm1
.Lmask: pcmpistrm $8, -16(%rsp), %xmm1
.Lexplicit: pcmpestri $8, -16(%rsp), %xmm1
        decl    %ebx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
