/* Code that is changed each time before it runs.  Its bytes are stored and
   fetched, and a fetch is no load; what it computes says where the load is. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expect: store -> load  dk=-  n=1000  d=5 */

        .globl  _start
_start: movl    $9, %eax                # mmap(0, 4096, RWX, anonymous)
        xorl    %edi, %edi
        movl    $4096, %esi
        movl    $7, %edx
        movl    $0x22, %r10d
        movl    $-1, %r8d
        xorl    %r9d, %r9d
        syscall
        movq    %rax, %rdi
        movq    .Lcode(%rip), %rax
        movq    %rax, (%rdi)
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lback(%rip), %r9
        movl    $1000, %ecx
.Lloop:
        movl    %ecx, %edx
        andl    $63, %edx
.Lstore: movq   %rcx, (%rsi,%rdx,8)
        movl    %edx, 1(%rdi)           # the constant
        jmp     *%rdi
.Lback:
.Lload: movq    (%rsi,%rax,8), %rax
        decl    %ecx
        jnz     .Lloop

        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall

        .section .rodata
.Lcode: .byte   0xb8, 0, 0, 0, 0        # movl $..., %eax
        .byte   0x41, 0xff, 0xe1        # jmp *%r9
        .bss
        .balign 64
.Lbuffer: .skip 1024
