/* String instructions, with a rep prefix and without. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kernel: rep-advance */
/* rep stos leaves its pointer after the last element: the loads are of the last
   and of the first. */
/* expect: fill -> last   dk=0  n=1000  d=2 */
/* expect: fill -> first  dk=0  n=1000  d=6 */
        times   1000, %ebx
        leaq    .Lbuffer(%rip), %rdi
        movl    $4, %ecx
.Lfill: rep stosq
.Llast: movq    -8(%rdi), %rdx
.Lfirst: movq   -32(%rdi), %rdx
        again   %ebx
        bss     .Lbuffer, 64

/* kernel: rep-cmps */
/* repe cmps of each width makes two loads for each element, until the count has
   run out. */
/* expect: one   -> bytes  dk=0  n=8000  d=5..12 */
/* expect: other -> bytes  dk=0  n=8000  d=4..11 */
/* expect: one   -> words  dk=0  n=4000  d=17..20 */
/* expect: other -> words  dk=0  n=4000  d=16..19 */
/* expect: one   -> longs  dk=0  n=2000  d=25..26 */
/* expect: other -> longs  dk=0  n=2000  d=24..25 */
/* expect: one   -> quads  dk=0  n=1000  d=31 */
/* expect: other -> quads  dk=0  n=1000  d=30 */
        times   1000, %ebx
.Lone:  movq    %rbx, .Lbuffer(%rip)
.Lother: movq   %rbx, .Lbuffer+64(%rip)
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $8, %ecx
.Lbytes: repe cmpsb
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $4, %ecx
.Lwords: repe cmpsw
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $2, %ecx
.Llongs: repe cmpsl
        leaq    .Lbuffer(%rip), %rsi
        leaq    .Lbuffer+64(%rip), %rdi
        movl    $1, %ecx
.Lquads: repe cmpsq
        again   %ebx
        bss     .Lbuffer, 1024

/* kernel: rep-long */
/* rep movsb of 2^16 elements, which repeat the first byte: depsim counts each
   element.  A block that ran so many would take too long, so staticdeps looks at
   one: the limit of its method. */
/* expect: first -> copy  dk=0  n=10      d=4 */
/* expect: copy  -> copy  dk=?  n=655350  d=1 */
/* expect: copy  -> load  dk=0  n=10      d=2 */
        times   10, %ebx
        leaq    .Lbuffer(%rip), %rsi
.Lfirst: movb   %bl, (%rsi)
        leaq    1(%rsi), %rdi
        movl    $65536, %ecx
        nop
.Lcopy: rep movsb
.Lload: movb    -1(%rdi), %al
        again   %ebx
        bss     .Lbuffer, 65600

/* kernel: rep-many */
/* rep stosb of 1023 elements and a last look at %rcx, each time further on.
   Two iterations are longer than a reorder buffer, where staticdeps ends: it
   sees what is read one iteration later, and not what is read after two. */
/* expect: fill -> seen   dk=1  n=199  d=2055 */
/* expect: fill -> missed dk=?  n=198  d=3087 */
        leaq    .Lbuffer(%rip), %r8
        times   200, %ebx
        movq    %r8, %rdi
        movl    $1023, %ecx
.Lfill: rep stosb
.Lseen: movb    -1024(%r8), %al
.Lmissed: movb  -2048(%r8), %dl
        addq    $1024, %r8
        again   %ebx

        .bss
        .balign 64
        .skip   2048
.Lbuffer: .skip 204800

/* kernel: rep-movs */
/* rep movs of 2, 4 and 8 bytes: each element is a load and a store. */
/* expect: store -> words  dk=0  n=4000  d=3..6 */
/* expect: words -> longs  dk=0  n=2000  d=6..7 */
/* expect: longs -> quads  dk=0  n=1000  d=5 */
/* expect: quads -> load   dk=0  n=1000  d=2 */
        times   1000, %ebx
        leaq    .Lbuffer(%rip), %rsi
.Lstore: movq   %rbx, (%rsi)
        leaq    64(%rsi), %rdi
        movl    $4, %ecx
.Lwords: rep movsw
        leaq    .Lbuffer+64(%rip), %rsi
        leaq    64(%rsi), %rdi
        movl    $2, %ecx
.Llongs: rep movsl
        leaq    .Lbuffer+128(%rip), %rsi
        leaq    64(%rsi), %rdi
        movl    $1, %ecx
.Lquads: rep movsq
.Lload: movq    .Lbuffer+192(%rip), %rax
        again   %ebx
        bss     .Lbuffer, 1024

/* kernel: rep-movsb */
/* rep movsb stores a byte an iteration and counts as one instruction for each,
   and for the last look at %rcx.  Eight stores of one instruction are one
   writer of the load: one occurrence, from the most recent. */
/* expect: copy -> load  dk=0  n=1000  d=2 */
        times   1000, %ebx
        leaq    .Lfrom(%rip), %rsi
        leaq    .Lto(%rip), %rdi
        movl    $8, %ecx
.Lcopy: rep movsb
.Lload: movq    .Lto(%rip), %rax
        again   %ebx

        .data
        .balign 8
.Lfrom: .ascii  "eight by"
.Lto:   .skip   8

/* kernel: rep-nothing */
/* rep with a count of zero does nothing: the load is of what was stored before. */
/* expect: store -> load  dk=0  n=1000  d=4 */
        times   1000, %ebx
        leaq    .Lbuffer(%rip), %rdi
.Lstore: movq   %rbx, (%rdi)
        xorl    %ecx, %ecx
        rep stosq
        nop
.Lload: movq    (%rdi), %rdx
        again   %ebx
        bss     .Lbuffer, 64

/* kernel: rep-overlap */
/* rep movsb to one byte above its source repeats that byte: each element reads
   what the one before wrote. */
/* expect: first -> copy  dk=0  n=1000  d=4 */
/* expect: copy  -> copy  dk=0  n=6000  d=1 */
/* expect: copy  -> load  dk=0  n=1000  d=2 */
        times   1000, %ebx
        leaq    .Lbuffer(%rip), %rsi
.Lfirst: movb   %bl, (%rsi)
        leaq    1(%rsi), %rdi
        movl    $7, %ecx
        nop
.Lcopy: rep movsb
.Lload: movb    -1(%rdi), %al
        again   %ebx
        bss     .Lbuffer, 64

/* kernel: rep-scas */
/* repne scas ends with the element that it looks for, without a last look at
   %rcx; repe scas here with the count. */
/* expect: text -> scan  dk=0  n=4000  d=4..7 */
/* expect: wide -> quad  dk=0  n=1000  d=4 */
/* expect: wide -> long  dk=0  n=1000  d=8 */
/* expect: wide -> word  dk=0  n=1000  d=12 */
        times   1000, %ebx
.Ltext: movl    $0x00434241, .Lbuffer(%rip)
        leaq    .Lbuffer(%rip), %rdi
        xorl    %eax, %eax
        movl    $100, %ecx
.Lscan: repne scasb
.Lwide: movq    %rbx, .Lbuffer+8(%rip)
        leaq    .Lbuffer+8(%rip), %rdi
        movq    %rbx, %rax
        movl    $1, %ecx
.Lquad: repe scasq
        leaq    .Lbuffer+8(%rip), %rdi
        movl    $1, %ecx
.Llong: repe scasl
        leaq    .Lbuffer+8(%rip), %rdi
        movl    $1, %ecx
.Lword: repe scasw
        again   %ebx
        bss     .Lbuffer, 1024

/* kernel: rep-stos */
/* rep stos of each width: one instruction for each element, and one for the
   last look at %rcx. */
/* expect: bytes -> load1  dk=0  n=1000  d=23 */
/* expect: words -> load2  dk=0  n=1000  d=17 */
/* expect: longs -> load4  dk=0  n=1000  d=11 */
/* expect: quads -> load8  dk=0  n=1000  d=7 */
        times   1000, %ebx
        leaq    .Lbuffer(%rip), %rdi
        movl    $4, %ecx
.Lbytes: rep stosb                      # bytes 0 to 3
        leaq    .Lbuffer+4(%rip), %rdi
        movl    $4, %ecx
.Lwords: rep stosw                      # bytes 4 to 11
        leaq    .Lbuffer+12(%rip), %rdi
        movl    $4, %ecx
.Llongs: rep stosl                      # bytes 12 to 27
        leaq    .Lbuffer+28(%rip), %rdi
        movl    $4, %ecx
.Lquads: rep stosq                      # bytes 28 to 59
.Lload1: movl   .Lbuffer(%rip), %edx
.Lload2: movq   .Lbuffer+4(%rip), %rdx
.Lload4: movups .Lbuffer+12(%rip), %xmm0
.Lload8: movups .Lbuffer+28(%rip), %xmm0
        again   %ebx
        bss     .Lbuffer, 1024

/* kernel: lods */
/* lods of each width.  (Valgrind 3.19 ignores a rep before it.) */
/* expect: store -> byte  dk=0  n=1000  d=2 */
/* expect: store -> word  dk=0  n=1000  d=3 */
/* expect: store -> long  dk=0  n=1000  d=4 */
/* expect: other -> long  dk=0  n=1000  d=3 */
/* expect: other -> quad  dk=0  n=1000  d=4 */
        times   1000
        leaq    .Lbuffer(%rip), %rsi
.Lstore: movl   %ecx, (%rsi)
.Lother: movq   %rcx, 4(%rsi)
.Lbyte: lodsb                           # byte 0
.Lword: lodsw                           # bytes 1 and 2
.Llong: lodsl                           # bytes 3 to 6
.Lquad: lodsq                           # bytes 7 to 14
        again
        bss     .Lbuffer, 1024

/* kernel: string-down */
/* String instructions without a prefix, downwards. */
/* expect: store -> move  dk=0  n=1000  d=3 */
/* expect: store -> more  dk=0  n=1000  d=4 */
/* expect: move  -> load  dk=0  n=1000  d=4 */
/* expect: more  -> load  dk=0  n=1000  d=3 */
/* expect: put   -> load  dk=0  n=1000  d=1 */
/* expect: put   -> get   dk=0  n=1000  d=3 */
        times   1000
        std
.Lstore: movq   %rcx, .Lbuffer(%rip)
        leaq    .Lbuffer+4(%rip), %rsi
        leaq    .Lbuffer+68(%rip), %rdi
.Lmove: movsl                           # the upper half
.Lmore: movsl                           # the lower half
        leaq    .Lbuffer+71(%rip), %rdi
.Lput:  stosb                           # the last byte
.Lload: movq    .Lbuffer+64(%rip), %rax
        leaq    .Lbuffer+71(%rip), %rsi
.Lget:  lodsb
        cld
        again
        bss     .Lbuffer, 1024
