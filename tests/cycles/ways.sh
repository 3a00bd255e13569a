#!/bin/sh
# The way that depbound takes through a loop of several blocks: by rules where it
# has no counts of executions, else by the counts.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

compiler=${CC:-cc}

# Blocks on the way add 1 to %rax, and the others add 2.
cat >ways.s <<'END'
        .macro  begin name
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  finish name
        decq    %rdi
        jne     \name
        ret
        .size   \name, . - \name
        .endm

        .text
# GCC moves cold code to a function of its own, often before the others.
        begin   cold.cold
cold_2: addq    $2, %rax
        jmp     cold_1
        .size   cold.cold, . - cold.cold
        begin   cold
        nop
1:      testq   %rsi, %rsi
        ja      cold_2
        addq    $1, %rax
cold_1: addq    $1, %rax
        decq    %rdi
        jne     1b
        ret
        .size   cold, . - cold

# A block with a call is rare, even if a jump backwards leads to it.
        begin   calls
        jmp     2f
1:      addq    $2, %rax
        call    cold
        jmp     3f
2:      addq    $1, %rax
        testq   %rsi, %rsi
        ja      1b
        addq    $1, %rax
3:      decq    %rdi
        jne     2b
        ret
        .size   calls, . - calls

# A new maximum is rare.
        begin   maximum
        cmpq    %rsi, %rdx
        jle     1f
        movq    %rdx, %rsi
1:      addq    $1, %rax
        finish  maximum

# Negative numbers are rare.
        begin   sign
        testq   %rsi, %rsi
        jns     1f
        addq    $2, %rax
1:      addq    $1, %rax
        finish  sign

# Two numbers are seldom equal.
        begin   equal
        jmp     2f
1:      addq    $2, %rax
        jmp     3f
2:      addq    $1, %rax
        cmpq    %rsi, (%rdx)
        je      1b
        addq    $1, %rax
3:      decq    %rdi
        jne     2b
        ret
        .size   equal, . - equal

# Where no other rule holds, a jump back is likely, and a jump forward is not.
        begin   back
        jmp     2f
1:      addq    $1, %rax
        jmp     3f
2:      addq    $1, %rax
        cmpq    %rsi, (%rdx)
        jb      1b
        addq    $2, %rax
3:      decq    %rdi
        jne     2b
        ret
        .size   back, . - back
        begin   forward
        cmpq    %rsi, (%rdx)
        jb      1f
        addq    $1, %rax
        jmp     2f
1:      addq    $2, %rax
2:      addq    $1, %rax
        finish  forward
END
prepare() {
    "$compiler" -nostdlib -static -Wl,-e,cold -o ways ways.s &&
        run depbound --cpu="$srcdir/data/machine.json" --llvm-mca=none \
            --annotate ways >text && cat text
}
ok "a program with loops of several blocks is built" prepare
# takes FUNCTION: does the way of its loop have all that adds 1, and nothing else?
takes() {
    awk -v name="$1" '
        $1 == name && /cycles a round/ { is_on = 1; next }
        /cycles a round/ { is_on = 0 }
        is_on && /addq \$[12], %rax/ { print }' text >way
    objdump -d --disassemble="$1" ways | grep 'add .*\$0x1,%rax' >want
    cat way
    ! grep -q '\$2' way && [ -s want ] &&
        [ "$(wc -l <way)" -eq "$(wc -l <want)" ]
}
for function in cold calls maximum sign equal back forward; do
    ok "without counts the way of a loop takes the right branch: $function" \
        takes $function
done
skipped() { ! grep -q 'movq %rdx, %rsi' text; }
ok "the way of a loop leaves out a new maximum" skipped

# Code of most rounds is on the way, although the code after it runs in all rounds.
cat >often.c <<'END'
#include <stdlib.h>
long data[4096];
__attribute__((noinline)) long often(long n)
{
    long sum = 0;

    for (long i = 0; i < n; i++) {
        if ((i & SELDOM) != 0)
            __asm__ volatile("imulq $3, %0, %0" : "+r"(sum));
        __asm__ volatile("addq $1, %0" : "+r"(sum));
    }
    return sum;
}
int main(void)
{
    return often(4096) == 1;
}
END
# observed MASK: is the guarded instruction on the way of the loop, if all rounds but
# those where i & MASK is 0 execute it?

observed() {
    "$compiler" -O1 -DSELDOM="$1" -o often often.c &&
        rm -f deps.db &&
        run valgrind -q --tool=depsim --deps-file="$tmp/deps.db" ./often &&
        run depbound --cpu="$srcdir/data/machine.json" --llvm-mca=none \
            --annotate --function=often often deps.db >text
    cat text
    grep -q addq text && grep -q imulq text
}
ok "code of 15 of 16 rounds is on the way of the loop" observed 15
not_seldom() {
    sed -i 's/!= 0/== 0/' often.c && ! observed 15
}
ok "code of 1 of 16 rounds is not on the way of the loop" not_seldom
end_of_cases
