#!/bin/sh
# The way that depbound takes through a loop of several blocks: by rules where it
# has no counts of executions, else by the counts.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

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
        $1 == name && /cycles an iteration/ { is_on = 1; next }
        /cycles an iteration/ { is_on = 0 }
        is_on && /addq \$[12], %rax/ { print }' text >way
    objdump -d --disassemble="$1" ways | grep 'add .*\$0x1,%rax' >want
    cat way
    ! grep -q '\$2' way && [ -s want ] &&
        [ "$(wc -l <way)" -eq "$(wc -l <want)" ]
}
for function in cold calls maximum sign equal back forward; do
    ok "without counts the path of a loop takes the right branch: $function" takes $function
done
skipped() { ! grep -q 'movq %rdx, %rsi' text; }
ok "the path of a loop leaves out a new maximum" skipped

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
    "$compiler" -O1 -DSELDOM="$1" -o often often.c && rm -f deps.db &&
        records deps.db ./often && report --annotate --function=often often deps.db &&
        has addq imulq
}
ok "code of 15 of 16 rounds is on the path of the loop" observed 15
not_seldom() {
    sed -i 's/!= 0/== 0/' often.c && ! observed 15
}
ok "code of 1 of 16 rounds is not on the path of the loop" not_seldom

# How many of 4000 rounds go the way that is taken at each branch, by what %rdx is from 0
# to 9: a way that skips a block leads to the same blocks as the others.  The name has the
# tenths of the rounds, at least and at most.
cat >shares.s <<'END'
        .macro  loop name, body:vararg
        .globl  \name
        .type   \name, @function
\name:  movl    $4000, %edi
        xorl    %edx, %edx
1:      addq    $1, %rdx
        cmpq    $10, %rdx
        movl    $0, %ecx
        cmoveq  %rcx, %rdx
        \body
        decq    %rdi
        jne     1b
        ret
        .size   \name, . - \name
        .endm
        .macro  if limit
        cmpq    $\limit, %rdx
        jae     2f
        imulq   %rax, %rax
        imulq   %rax, %rax
        imulq   %rax, %rax
        imulq   %rax, %rax
2:
        .endm
        .macro  either limit
        cmpq    $\limit, %rdx
        jae     3f
        imulq   %rax, %rax
        jmp     4f
3:      addq    $1, %rax
4:
        .endm
        .macro  both
        cmpq    $7, %rdx
        jae     2f
        testq   $1, %rdx
        jne     2f
        imulq   %rax, %rax
2:
        .endm
        .macro  any
        cmpq    $2, %rdx
        jb      3f
        testq   $1, %rdx
        je      2f
3:      imulq   %rax, %rax
2:
        .endm
        .macro  indirect
        cmpq    $5, %rdx
        jae     2f
        leaq    3f(%rip), %rcx
        jmp     *%rcx
3:      imulq   %rax, %rax
2:
        .endm
        .macro  inside                  # the constant of cmpl $..., %eax
        cmpq    $7, %rdx
        jb      2f
        .byte   0x3d
2:      imulq   %rax, %rax
        .endm
        .macro  two first, second
        if      \first
        if      \second
        .endm

        .text
        .globl  _start
_start: call    sixes_6_6
        call    nines_9_9
        call    eithers_7_7
        call    boths_4_4
        call    anys_4_4
        call    indirects_5_5
        call    insides_7_7
        call    twos_2_6
        call    twos_again_5_7
        movl    $60, %eax
        xorl    %edi, %edi
        syscall
        loop    sixes_6_6, if 4
        loop    nines_9_9, if 1
        loop    eithers_7_7, either 7
        loop    boths_4_4, both
        loop    anys_4_4, any
        loop    indirects_5_5, indirect
        loop    insides_7_7, inside
        loop    twos_2_6, two 4 4
        loop    twos_again_5_7, two 3 2
END
shares() {
    "$compiler" -nostdlib -static -Wl,-e,_start -o shares shares.s &&
        records shares.db --windows=40:1000 ./shares &&
        report --format=json shares shares.db && cp out shares.json &&
        jq -r '.loops[] | "\(.function) \(.path_share_least * 10 + 0.01 | floor)\(
            "_")\(.path_share * 10 + 0.01 | floor) \(.rounds)"' shares.json | sort >answer
    cat answer
    [ "$(wc -l <answer)" -eq 9 ] &&
        ! awk '$1 !~ "_" $2 "$" || $3 != 4000 { print "wrong: " $0 }' answer |
        grep .
}
ok "the share of a path comes from its branches, between bounds" shares
# Recorded rounds go all ways, so nothing is to be said of those.
noted() {
    report shares shares.db && ! grep 'go this way' out || return
    records without.db ./shares && report shares without.db &&
        grep -A9 '^sixes_6_6.*: ~' out | grep '^  60 % of its iterations go this way' &&
        grep -A9 '^twos_2_6.*: ~' out | grep '^  20 to 60 % of its iterations go this way' &&
        ! grep -q '^nines_9_9.*: ~' out
}
ok "the report says how many rounds take the path of a loop" noted
ok "a round in windows has the cycles of other paths" jq -e \
    '.loops[] | select(.function == "sixes_6_6") | .predicted > 0.39 * 12' shares.json
ok "a round in windows has only least cycles if jumps are unknown" \
    jq -e '[.loops[] | select(.recorded_rounds > 0 and .at_least).function] == ["indirects_5_5"]' \
    shares.json
end_of_cases
