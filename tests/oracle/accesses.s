# The frame of the program that accesses.c makes the cases of.  Each case runs an
# instruction twice: cN after each byte was stored by itself, and dN after few
# stores stored all.  After cN each byte is loaded by itself, and after dN as many
# bytes at once as the operand has.  So the dependencies of cN say which bytes were
# loaded and stored, and how often, and those of dN in how many accesses.
# SPDX-License-Identifier: GPL-2.0-or-later
        .text
        .globl  _start

# A case: number, size, is it loaded, is it stored, code.
.macro case_unknown n, size, loads, stores, code
        call    bytes
        call    registers
c\n:    .byte   \code
        call    bytes_back
        call    whole
        call    registers
d\n:    .byte   \code
        call    back_\size
.endm

# Here the translator knows the registers when it translates the instruction.
.macro case_zero n, size, loads, stores, code
        call    bytes
        call    registers
        zeros
c\n:    .byte   \code
        call    bytes_back
        call    whole
        call    registers
        zeros
d\n:    .byte   \code
        call    back_\size
.endm

.macro zeros
        xorl    %eax, %eax
        xorl    %ecx, %ecx
        xorl    %edx, %edx
        xorl    %ebx, %ebx
        xorl    %ebp, %ebp
.if has_avx
        vpxor   %xmm0, %xmm0, %xmm0
        vpxor   %xmm1, %xmm1, %xmm1
        vpxor   %xmm2, %xmm2, %xmm2
        vpxor   %xmm3, %xmm3, %xmm3
.else
        pxor    %xmm0, %xmm0
        pxor    %xmm1, %xmm1
        pxor    %xmm2, %xmm2
        pxor    %xmm3, %xmm3
.endif
        cmpb    $1, %al                 # carry, as nothing is less than 1
.endm

bytes:  leaq    area(%rip), %rdi
first_stored:
        i = 0
        .rept   128
        {disp32} movb $((i * 7 + 3) & 255), i(%rdi)     # 7 bytes
        i = i + 1
        .endr
        ret

whole:  leaq    area(%rip), %rdi
        i = 0
        .rept   4
.if has_avx
        vmovdqu data+32*i(%rip), %ymm0
        vmovdqu %ymm0, 32*i(%rdi)
.else
        movdqu  data+32*i(%rip), %xmm0
        movdqu  data+32*i+16(%rip), %xmm1
        movdqu  %xmm0, 32*i(%rdi)
        movdqu  %xmm1, 32*i+16(%rdi)
.endif
        i = i + 1
        .endr
        ret

registers:
        movl    $0x1f80, -8(%rsp)
        ldmxcsr -8(%rsp)
        fninit
        fld1
        fld1
        movq    %rsp, %r15
        movabsq $0x123456789, %rax
        movl    $5, %ecx
        xorl    %edx, %edx
        movabsq $0x1122334455667788, %rbx
        movl    $0x77, %ebp
        leaq    area(%rip), %rdi
.if has_avx
        .irp    r, 0, 1, 2, 3
        vmovdqu vectors+32*\r(%rip), %ymm\r
        .endr
.else
        .irp    r, 0, 1, 2, 3
        movdqu  vectors+32*\r(%rip), %xmm\r
        .endr
.endif
        ret

# Back to the caller, whatever the instruction did to the stack pointer.
.macro restore
        popq    %r14
        leaq    8(%r15), %rsp
        leaq    area(%rip), %rdi
.endm

bytes_back:
        restore
first_loaded:
        i = 0
        .rept   128
        {disp32} movb i(%rdi), %al      # 6 bytes
        i = i + 1
        .endr
        jmp     *%r14

.macro back size
back_\size:
        restore
.if     \size == 1
load_1: movb    (%rdi), %al
.elseif \size == 2
load_2: movw    (%rdi), %ax
.elseif \size == 4
load_4: movl    (%rdi), %eax
.elseif \size == 8
load_8: movq    (%rdi), %rax
.elseif \size == 16
load_16: movdqu (%rdi), %xmm0
.elseif \size == 32
load_32: vmovdqu (%rdi), %ymm0
.endif
        jmp     *%r14
.endm
        .altmacro
        i = 0
        .rept   129
        back    %i
        i = i + 1
        .endr
        .noaltmacro

        .data
        .p2align 6
data:   i = 0
        .rept   128
        .byte   (i * 7 + 3) & 255
        i = i + 1
        .endr
vectors:
        i = 0
        .rept   128
        .byte   128 | (i * 41 + 7) & 255
        i = i + 1
        .endr
        .bss
        .p2align 12
area:   .skip   4096

        .text
_start: subq    $1024, %rsp             # then the cases, and the end
