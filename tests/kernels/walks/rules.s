/* The rules of walks. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: again */
/* A function is called again: it reads what it wrote the last time, to a place of
   its own or to one that it is given. */
/* expect: count -> count  yes  again=no */
/* expect: given -> first  yes  again=no */
        nop
.Lcount: addq   $1, counter(%rip)
.Lfirst: movq   (%rdi), %rax
.Lgiven: movq   %rsi, (%rdi)
        ret

        .bss
counter: .zero  8
        .text
        .size   f, . - f

/* kernel: contents */
/* What the file says of read-only data decides. */
/* expect: right -> load  yes */
/* expect: wrong -> load  no  contents=yes */
        cmpq    $7, seven(%rip)
        jne     .Lelse
.Lright: movq   $1, (%rdi)
        jmp     .Lload
.Lelse: nop
.Lwrong: movq   $2, (%rdi)
.Lload: movq    (%rdi), %rax
        ret

        .section .rodata
seven:  .quad   7
        .text
        .size   f, . - f

/* kernel: decided */
/* A branch that known values decide is followed. */
/* expect: right -> load  yes */
/* expect: wrong -> load  no  decided=yes */
        movl    $1, %eax
        cmpl    $1, %eax
        jne     .Lelse
.Lright: movq   $1, (%rdi)
        jmp     .Lload
.Lelse: nop
.Lwrong: movq   $2, (%rdi)
.Lload: movq    (%rdi), %rax
        finish  f

/* kernel: ends-last */
/* A tail call of what ends the program, by its name, does not come back. */
/* expect: good -> load  yes */
/* expect: bad -> load  no  returns=yes */
        movq    %rdi, %rbx
.Lgood: movq    $1, (%rbx)
        testl   %esi, %esi
        je      .Lload
.Lbad:  movq    $2, (%rbx)
        call    die
.Lload: movq    (%rbx), %rax
        ret

        begin   die
        xorl    %edi, %edi
        jmp     exit
        .size   die, . - die

        begin   exit
        movl    $231, %eax
        syscall
        finish  exit
        .size   f, . - f

/* kernel: enter */
/* A call is entered. */
/* expect: store -> load  yes  enter=no */
/* expect: other -> back  no */
        nop
.Lother: movq   $0, (%rdi)
        call    g
.Lload: movq    (%rdi), %rax
        leaq    64(%rdi), %rdi
.Lback: movq    (%rdi), %rax
        ret

        begin   g
        nop
.Lstore: movq   $1, (%rdi)
        finish  g
        .size   f, . - f

/* kernel: forward */
/* A long loop is wound forward.  It takes more instructions than a walk has. */
/* expect: store -> load  yes  forward=no */
/* expect: count -> last  yes  forward=no */
        movl    $1000000, %ecx
        movq    %rdi, %rdx
.Lstore: movq   $1, (%rdi)
.Lcount: movq   %rcx, 8(%rdx)
        addq    $8, %rdx
        subl    $1, %ecx
        jnz     .Lcount
.Lload: movq    (%rdi), %rax
.Llast: movq    (%rdx), %rax
        finish  f

/* kernel: identity */
/* An end pointer has the same base as the pointer that moves to it: the loop
   over two elements does not touch the third. */
/* expect: behind -> load  yes */
/* expect: inside -> load  no  identity=yes */
        leaq    16(%rdi), %rax
        movq    %rdi, %rcx
.Lbehind: movq  $0, 16(%rdi)
.Linside: movq  $1, (%rcx)
        addq    $8, %rcx
        cmpq    %rax, %rcx
        jne     .Linside
.Lload: movq    16(%rdi), %rax
        finish  f

/* kernel: index */
/* Numbers that choose elements of an array are small, so that a table meets what
   it wrote; scaled, of 32 bits, and subtracted: so many bytes back. */
/* expect: scaled -> other  yes  index=no */
/* expect: byte -> near  yes  index=no */
/* expect: first -> second  yes */
/* expect: put -> back  yes  index=no */
        movl    $64, %r8d
.Lloop: movq    (%rsi), %rax
        movl    8(%rsi), %ecx
        movl    12(%rsi), %edx
        addq    $16, %rsi
.Lscaled: movq  %r8, (%rdi,%rax,8)
.Lbyte: movb    %r8b, (%r9,%rcx)
.Lnear: movzbl  (%r9,%rdx), %r10d
        subl    $1, %r8d
        jnz     .Lloop
        movq    (%rsi), %rax
.Lother: movq   (%rdi,%rax,8), %rcx
.Lfirst: movq   %rcx, 8(%r11,%rax,8)
        addq    $1, %rax
.Lsecond: movq  (%r11,%rax,8), %rcx
        movl    $64, %r8d
.Lcopy: movslq  (%r13), %rax
        movq    %r12, %rbx
        subq    %rax, %rbx
.Lback: movzbl  (%rbx), %ecx
.Lput:  movb    %cl, (%r12)
        addq    $1, %r12
        addq    $4, %r13
        subl    $1, %r8d
        jnz     .Lcopy
        finish  f

/* kernel: loops */
/* Pairs of two loops, one in the other, and of none. */
/* expect: put -> old  yes */
/* expect: put -> new  yes */
/* expect: col -> col  yes */
/* expect: put -> called  yes */
        movl    $5, %ecx
.Lrow:  nop
.Lold:  movq    (%rdi), %rax
        callq   g
.Lput:  movq    %rcx, (%rdi)
        movl    $3, %edx
.Lcol:  addq    $1, (%rsi)
        subl    $1, %edx
        jnz     .Lcol
.Lnew:  movq    (%rdi), %rax
        subl    $1, %ecx
        jnz     .Lrow
        finish  f

        begin   g
        nop
.Lcalled: movq  (%rdi), %rax
        finish  g

/* kernel: middle */
/* Where no walk from the entry comes, some start. */
/* expect: store -> load  yes  middle=no */
        jmp     f
.Lstore: movq   $1, (%rdi)
.Lload: movq    (%rdi), %rax
        finish  f

/* kernel: once */
/* What was decided by force once is decided the next time: the number is zero, or
   it is not. */
/* expect: zero -> load  yes */
/* expect: other -> load  no  once=yes */
        nop
.Lzero: movq    $0, (%rdi)
        testq   %rsi, %rsi
        je      .Lnext
.Lother: movq   $1, (%rdi)
.Lnext: nop
        testq   %rsi, %rsi
        jne     .Lout
.Lload: movq    (%rdi), %rax
.Lout:  finish  f

/* kernel: out */
/* A call that is not walked may write where its arguments point to. */
/* expect: kept -> read  yes */
/* expect: store -> load  no  out=yes */
        subq    $40, %rsp
.Lstore: movq   $1, 8(%rsp)
.Lkept: movq    $1, 24(%rsp)
        leaq    8(%rsp), %rdi
        call    *%rax
.Lload: movq    8(%rsp), %rax
.Lread: movq    24(%rsp), %rcx
        addq    $40, %rsp
        finish  f

/* kernel: renewed */
/* What a function would read of its last call does not count if those that call it
   write that anew in between; but it does if nobody calls it. */
/* expect: restore -> first  yes */
/* expect: put -> first  no */
/* expect: kept -> kept  yes  again=no */
        pushq   %rbx
        pushq   %rbp
        movq    %rdi, %rbp
        movl    $3, %ebx
.Lround: movq   %rbp, %rdi
.Lrestore: movq $1, (%rbp)
        callq   g
        subl    $1, %ebx
        jnz     .Lround
        popq    %rbp
        popq    %rbx
        finish  f

        begin   g
        nop
.Lfirst: movq   (%rdi), %rax
.Lput:  movq    %rax, (%rdi)
        finish  g

        .globl  h
        begin   h
        nop
.Lkept: addq    $1, (%rdi)
        finish  h

/* kernel: returns */
/* A call of what ends the program does not come back, although it calls that
   through another function. */
/* expect: good -> load  yes */
/* expect: bad -> load  no  returns=yes */
        movq    %rdi, %rbx
.Lgood: movq    $1, (%rbx)
        testl   %esi, %esi
        je      .Lload
.Lbad:  movq    $2, (%rbx)
        call    die
.Lload: movq    (%rbx), %rax
        ret

        begin   die
        subq    $8, %rsp
        call    end
        addq    $8, %rsp
        .size   die, . - die

        begin   end
        movl    $231, %eax
        syscall
        ud2
        .size   end, . - end
        .size   f, . - f

/* kernel: skipped */
/* What the rounds store that are skipped when a loop is wound forward. */
/* expect: store -> middle  yes */
/* expect: old -> middle  no */
/* expect: kept -> stays  yes */
        movl    $1000, %ecx
        movq    %rdi, %rdx
        nop
.Lold:  movq    $1, 4000(%rdi)
.Lloop: nop
.Lstore: movq   %rcx, (%rdx)
.Lkept: movq    %rcx, -8(%rdi)
        addq    $8, %rdx
        subl    $1, %ecx
        jnz     .Lloop
.Lmiddle: movq  4000(%rdi), %rax
.Lstays: movq   -8(%rdi), %rax
        finish  f

/* kernel: steer */
/* The way that was taken less often is taken next, so few walks come everywhere. */
/* expect: deep -> load  yes  steer=no */
        testb   %sil, %sil
        jne     .Lout
        testb   %dl, %dl
        jne     .Lout
        testb   %cl, %cl
        jne     .Lout
.Ldeep: movq    $1, (%rdi)
.Lload: movq    (%rdi), %rax
.Lout:  finish  f

/* kernel: switch */
/* A switch: its range check leaves the number drawn, and its table is read from the
   file. */
/* expect: one -> load  yes */
/* expect: two -> load  yes */
/* expect: three -> load  yes */
        cmpl    $2, %esi
        ja      .Lout
        movl    %esi, %esi
        leaq    table(%rip), %rdx
        movslq  (%rdx,%rsi,4), %rax
        addq    %rdx, %rax
        jmp     *%rax
.Lone:  movq    $1, (%rdi)
        jmp     .Lload
.Ltwo:  movq    $2, (%rdi)
        jmp     .Lload
.Lthree: movq   $3, (%rdi)
.Lload: movq    (%rdi), %rax
.Lout:  ret

        .section .rodata
        .align  4
table:  .long   .Lone - table
        .long   .Ltwo - table
        .long   .Lthree - table
        .text
        .size   f, . - f

/* kernel: unlike */
/* Rounds that are not alike are not all skipped: the first ones are walked, and all
   of a loop that does not take much. */
/* expect: store -> sixth  yes */
/* expect: store -> later  yes */
/* expect: long -> eighth  yes */
        xorl    %ecx, %ecx
.Lround: movl   %ecx, %eax
.Linner: subl   $1, %eax
        jns     .Linner
.Lstore: movq   %rcx, (%rdi,%rcx,8)
        cmpl    $6, %ecx
        jne     .Lnot6
.Lsixth: movq   -8(%rdi,%rcx,8), %rdx
.Lnot6: cmpl    $20, %ecx
        jne     .Lnot20
.Llater: movq   -8(%rdi,%rcx,8), %rdx
.Lnot20: addl   $1, %ecx
        cmpl    $30, %ecx
        jne     .Lround
        /* A million rounds. */
        xorl    %ecx, %ecx
.Lagain: movl   %ecx, %eax
.Lmore: subl    $1, %eax
        jns     .Lmore
.Llong: movq    %rcx, (%rsi,%rcx,8)
        cmpl    $8, %ecx
        jne     .Lnot8
.Leighth: movq  -8(%rsi,%rcx,8), %rdx
.Lnot8: addl    $1, %ecx
        cmpl    $1000000, %ecx
        jne     .Lagain
        finish  f

/* kernel: whole */
/* A call is cut short, as it takes too long: what it stored until then is not
   what its end leaves there. */
/* expect: first -> load  no  whole=yes */
/* expect: before -> within  yes */
/* expect: first -> within  yes */
        movq    %rdi, %rbx
.Lbefore: movq  $1, 8(%rbx)
        call    long
.Lload: movq    (%rbx), %rax
        finish  f

/* 2^40 rounds that are not alike. */
        begin   long
.Lfirst: movq   $2, (%rdi)
.Lwithin: movdqu (%rdi), %xmm0
        movabsq $0x10000000000, %rcx
        movq    $1, %rax
1:      imulq   $5, %rax, %rax
        addq    $1, %rax
        decq    %rcx
        jne     1b
        movq    %rax, (%rdi)
        finish  long
