/* Without a lock prefix, a cmpxchg that fails writes what it has read: "the
   destination operand receives a write cycle without regard to the result"
   (Intel's manual, volume 2). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> fail  dk=0  n=1000  d=2 */
/* expect: fail  -> load  dk=0  n=1000  d=1 */

        .globl  _start
_start: movl    $1000, %ecx
.Lloop:
.Lstore: movq   %rcx, -8(%rsp)
        leaq    1(%rcx), %rax
.Lfail: cmpxchgq %rbx, -8(%rsp)
.Lload: movq    -8(%rsp), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
