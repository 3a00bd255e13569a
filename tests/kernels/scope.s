/* Loops of several blocks (form: tests/staticdeps/scope.sh). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
        .macro  exit
        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
        .endm
        .globl  _start
        .type   _start, @function
_start:

/* kernel: call */
/* A call in the body of a loop.  The stack pointer is the same each time, so
   that a slot is not its neighbour; the callee may change one of the pointers,
   and does; it leaves the other alone. */
/* expect: slot -> neighbour  block=1  loop=-  n=0 */
/* expect: own -> own  block=-  loop=1  n=9 */
/* expect: call -> own  block=2  loop=-  n=0 */
/* expect: kept -> kept  block=1  loop=1  n=9 */
/* expect: changed -> changed  block=1  loop=-  n=0 */
        movl    $10, %r12d
        leaq    array(%rip), %rbx
        leaq    8(%rbx), %rdi
        subq    $64, %rsp
.Lneighbour: movq    32(%rsp), %rax
.Lslot: movq    %r12, 24(%rsp)
.Lown:  addq    $1, 8(%rsp)
.Lkept: addq    $1, (%rbx)
.Lchanged: addq    $1, (%rdi)
.Lcall: call    .Lcallee
        decl    %r12d
        jnz     .Lneighbour
        exit

.Lcallee: addq    $8, %rdi
        ret

        .bss
array:  .zero   8 * 20

/* kernel: called-again */
/* A function without a loop runs again when it is called again, which is taken
   to be with the same arguments: a counter stays, a lock is opened in between,
   and pushes do not follow each other. */
/* expect: count -> count  block=1  loop=1  n=9 */
/* expect: global -> global  block=1  loop=1  n=9 */
/* expect: lock -> lock  block=1  loop=-  n=0 */
/* expect: push -> above  block=1  loop=-  n=0 */
        movl    $10, %r12d
.Lagain: leaq    counter(%rip), %rdi
        xorl    %esi, %esi
        call    function
        decl    %r12d
        jnz     .Lagain
        exit
        .size   _start, . - _start

        .type   function, @function
function:
        testl   %esi, %esi
        jnz     .Lout
        movq    %rdi, %rbx
        addq    $0, %rbx
        jz      .Lout
.Lpush: pushq   %rbx
.Labove: movq   8(%rsp), %rax
.Lcount: addq   $1, (%rbx)
.Lglobal: addq  $1, global(%rip)
.Llock: addl    $1, lock(%rip)
        testl   %esi, %esi
        jnz     .Lpop
        nop
.Lpop:  movl    $0, lock(%rip)
        popq    %rbx
.Lout:  ret
        .size   function, . - function

        .bss
counter: .zero  8
global: .zero   8
lock:   .zero   8

/* kernel: diamond */
/* One arm of a branch, and the block in front of both.  The shortest way round
   goes by the block itself where it can, and by the shorter arm where it
   must: what the longer one overwrites is found. */
/* expect: front -> front  block=1  loop=1  n=5 */
/* expect: arm -> arm  block=1  loop=1  n=4 */
/* expect: both -> both  block=1  loop=-  n=0 */
        movl    $10, %ebx
.Lfront: addq   $1, first(%rip)
.Lboth: addq    $1, third(%rip)
        testl   $1, %ebx
        jz      .Larm
        movq    $0, third(%rip)
        movq    $0, first(%rip)
        jmp     .Lcut
.Lcut:  jmp     .Ljoin
.Larm:  addq    $1, second(%rip)
        movq    $0, third(%rip)
.Ljoin: decl    %ebx
        jnz     .Lfront
        exit

        .bss
first:  .zero   8
second: .zero   8
third:  .zero   8

/* kernel: inner-loop */
/* A loop on the way, which contains another one, and a call that is off the
   way: how often they go round is unknown, so what they write is forgotten,
   but for the stack pointer, and nothing else. */
/* expect: store -> load  block=-  loop=-  n=9 */
/* expect: moved -> moved  block=1  loop=-  n=0 */
/* expect: given -> given  block=1  loop=-  n=0 */
/* expect: fixed -> fixed  block=1  loop=1  n=9 */
/* expect: push -> pop  block=0  loop=0  n=60 */
/* expect: slot -> slot  block=1  loop=1  n=9 */
        movl    $10, %ebx
        subq    $64, %rsp
        leaq    array(%rip), %rdi
        leaq    total(%rip), %rbp
        leaq    other(%rip), %r8
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 48(%rdi)
.Lmoved: addq   $1, 24(%rdi)
.Lfixed: addq   $1, (%rbp)
.Lgiven: addq   $1, 24(%r8)
.Lslot: addq    $1, 24(%rsp)
        movl    $3, %ecx
.Lmiddle: movl    $2, %edx
.Linner:
.Lpush: pushq   %rdx
.Lpop:  popq    %rdx
        addq    $8, %rdi
        testl   $1, %edx
        jz      .Lrest
        call    .Lcallee
.Lrest: decl    %edx
        jnz     .Linner
        decl    %ecx
        jnz     .Lmiddle
        decl    %ebx
        jnz     .Lload
        exit

.Lcallee: addq    $8, %r8
        ret

        .bss
total:  .zero   8
array:  .zero   8 * 80
other:  .zero   8 * 80

/* kernel: long */
/* A block as long as the reorder buffer is repeated twice: the first time must
   find in its registers what the second one finds. */
/* expect: add -> add  block=1  loop=1  n=9 */
/* expect: other -> other  block=-  loop=1  n=9 */
        movl    $10, %ebx
        xorl    %edx, %edx
        leaq    second(%rip), %rdi
.Ladd:  addq    $1, first(%rip)
.Lother: addq   $1, (%rdi)
        .rept   600
        addl    $1, %edi
        .endr
        testl   %edx, %edx
        jnz     .Lend
        leaq    second(%rip), %rdi
        decl    %ebx
        jnz     .Ladd
.Lend:  exit

        .bss
first:  .zero   8
second: .zero   8

/* kernel: long-way */
/* What lies on the way takes room in the reorder buffer, so that what is five
   iterations away is too far, and what is two away is not. */
/* expect: far -> load  block=5  loop=-  n=5 */
/* expect: store -> near  block=2  loop=2  n=8 */
        movl    $10, %ebx
        xorl    %edx, %edx
        leaq    array(%rip), %rdi
.Lload: movq    (%rdi), %rax
.Lfar:  movq    %rax, 40(%rdi)
.Lnear: movq    1024(%rdi), %rax
.Lstore: movq   %rax, 1040(%rdi)
        addq    $8, %rdi
        testl   %edx, %edx
        jnz     .Lend
        .rept   300
        addl    $1, %ecx
        .endr
        decl    %ebx
        jnz     .Lload
.Lend:  exit

        .bss
array:  .zero   8 * 256

/* kernel: overwritten */
/* A slot of the stack, and a global, that another block overwrites on the way,
   beside one of each that it leaves alone. */
/* expect: slot -> slot  block=1  loop=-  n=0 */
/* expect: global -> global  block=1  loop=-  n=0 */
/* expect: stays -> stays  block=1  loop=1  n=9 */
/* expect: remains -> remains  block=1  loop=1  n=9 */
        movl    $10, %ebx
        xorl    %edx, %edx
.Lslot: addq    $1, -8(%rsp)
.Lstays: addq    $1, -16(%rsp)
.Lglobal: addq    $1, first(%rip)
.Lremains: addq    $1, second(%rip)
        testl   %edx, %edx
        jnz     .Lend
        movq    $0, -8(%rsp)
        movq    $0, first(%rip)
        decl    %ebx
        jnz     .Lslot
.Lend:  exit

        .bss
first:  .zero   8
second: .zero   8

/* kernel: padding */
/* Half of the inner loop is aligned by instructions that are jumped over.  They
   lead nowhere: if they were an entry to that half, the other half, which comes
   back to itself, too, would be a loop of its own between two rounds. */
/* expect: store -> load  block=1  loop=1  n=9 */
/* expect: fixed -> fixed  block=1  loop=1  n=11 */
        movl    $3, %ebx
        leaq    array(%rip), %rdi
        leaq    total(%rip), %rbp
.Louter: xorl    %eax, %eax
        movl    $6, %ecx
        jmp     .Ltest
        nopw    0(%rax,%rax,1)
        nopl    (%rax)
.Lbody:
.Lload: movl    (%rdi,%rax,4), %edx
        addl    $1, %edx
.Lstore: movl   %edx, 4(%rdi,%rax,4)
.Lfixed: addq   $1, (%rbp)
        addq    $1, %rax
.Ltest: decl    %ecx
        jz      .Lnext
        cmpl    $2, %ecx
        jae     .Lbody
        addq    $2, %rax
        jmp     .Ltest
.Lnext: decl    %ebx
        jnz     .Louter
        exit

        .bss
total:  .zero   8
array:  .zero   4 * 8

/* kernel: remainder */
/* An iteration that was peeled off an inner loop: what it stores is not what it
   loads next time, since the pointer has gone on in between. */
/* expect: store -> load  block=1  loop=-  n=0 */
/* expect: sum -> sum  block=1  loop=1  n=9 */
        movl    $10, %ebx
        leaq    array(%rip), %rdi
        leaq    total(%rip), %rsi
.Lload: movq    (%rdi), %rax
.Lsum:  addq    %rax, (%rsi)
.Lstore: movq   %rax, (%rdi)
        movl    $3, %ecx
.Linner: addq    $8, %rdi
        decl    %ecx
        jnz     .Linner
        decl    %ebx
        jnz     .Lload
        exit

        .bss
total:  .zero   8
array:  .zero   8 * 31

/* kernel: self */
/* A block that follows itself is repeated alone: the loop around it changes
   nothing. */
/* expect: store -> load  block=1  loop=1  n=630 */
        movl    $10, %ebx
.Louter: leaq    array(%rip), %rdi
        movl    $64, %ecx
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 8(%rdi)
        addq    $8, %rdi
        decl    %ecx
        jnz     .Lload
        decl    %ebx
        jnz     .Louter
        exit

        .bss
array:  .zero   8 * 65

/* kernel: skipped */
/* The body of a condition in a loop, which is now and then left out.  The
   rounds without it are not a loop on the way; the pointer moves outside of
   it. */
/* expect: store -> load  block=-  loop=1  n=32 */
/* expect: same -> same  block=1  loop=-  n=0 */
        movl    $64, %ebx
        leaq    array(%rip), %rdi
.Lhead: testl   $3, %ebx
        jz      .Ltail
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 8(%rdi)
.Lsame: addq    $1, 1024(%rdi)
.Ltail: addq    $8, %rdi
        decl    %ebx
        jnz     .Lhead
        exit

        .bss
array:  .zero   8 * 256

/* kernel: spilled */
/* A pointer that the block saves, and that another one loads and moves: only
   the block's own loads make dependencies, but what others load counts. */
/* expect: store -> load  block=-  loop=1  n=9 */
/* expect: same -> same  block=1  loop=-  n=0 */
        movl    $10, %ebx
        xorl    %edx, %edx
        leaq    array(%rip), %rdi
.Lload: movq    (%rdi), %rax
.Lstore: movq   %rax, 8(%rdi)
.Lsame: addq    $1, 256(%rdi)
        movq    %rdi, -8(%rsp)
        testl   %edx, %edx
        jnz     .Lend
        movq    -8(%rsp), %rdi
        addq    $8, %rdi
        decl    %ebx
        jnz     .Lload
.Lend:  exit

        .bss
array:  .zero   8 * 64

/* kernel: switch */
/* The cases of a switch in a loop: nothing but a table says where they are. */
/* expect: first -> first  block=1  loop=1  n=9 */
/* expect: second -> second  block=1  loop=1  n=9 */
/* expect: scratch -> scratch  block=1  loop=-  n=0 */
        movl    $20, %ebx
.Lhead: movl    %ebx, %eax
        andl    $1, %eax
        leaq    table(%rip), %rcx
        movq    $0, third(%rip)
        jmp     *(%rcx,%rax,8)
        nop
.Lcase0:
.Lfirst: addq   $1, first(%rip)
.Lscratch: addq $1, third(%rip)
        jmp     .Ltail
        nop
.Lcase1:
.Lsecond: addq  $1, second(%rip)
.Ltail: decl    %ebx
        jnz     .Lhead
        exit
        .size   _start, . - _start

        .data
table:  .quad   .Lcase0, .Lcase1
        .bss
first:  .zero   8
second: .zero   8
third:  .zero   8
