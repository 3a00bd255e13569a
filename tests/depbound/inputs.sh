#!/bin/sh
# What depbound takes besides programs: machine code, ranges of addresses and
# assembly source, with the marks of other tools.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

TMPDIR=$tmp/t
mkdir "$TMPDIR"
export TMPDIR

# --- One loop in each form that depbound takes ---

# A prefix sum, which waits for memory in each round.
cat >sum.s <<'END'
        .text
        .globl  f
        .type   f, @function
f:      nop
loop:   movq    (%rdi), %rax
        addq    %rax, 8(%rdi)
        addq    $8, %rdi
        decq    %rsi
        jne     loop
end:    ret
        .size   f, . - f
END
prepare() {
    assembles sum &&
        start=0x$(nm sum | sed -n 's/ t loop//p') &&
        end=0x$(nm sum | sed -n 's/ t end//p') &&
        holds '.loops | length == 1' sum &&
        jq -c '.loops[0] | [.memory, .registers, .instructions]' out >whole &&
        jq -e '.loops[0] | .memory > .registers' out
}
ok "memory limits the only loop of the program" prepare
# as_whole ARGUMENT...: is this one region with the bounds of the program's loop?
as_whole() {
    holds '.loops | length == 1 and .[0].region != null' "$@" &&
        jq -c '.loops[0] | [.memory, .registers, .instructions]' out >region &&
        cmp whole region
}
range() { as_whole --range="$start-$end" sum; }
ok "--range around a loop gives the bounds of the loop" range
ok "a loop chosen by --range is named by the range" sh -c \
    '[ "$(jq -r ".loops[0].region" out)" = "$0-$1" ]' "$start" "$end"
ok "--range takes decimal numbers" as_whole --range="$((start))-$((end))" sum
hex() {
    objcopy -O binary --only-section=.text sum text &&
        od -An -v -tx1 -j1 -N"$((end - start))" text | tr -d '\n' >bytes &&
        as_whole --hex="$(cat bytes)" &&
        as_whole --hex="$(tr -d ' ' <bytes)" &&
        as_whole --hex="$(sed 's/ /,0x/g; s/^,//' bytes)"
}
ok "--hex of a loop's bytes gives the bounds of the loop" hex
# Three blocks, the loop first, and lines that are no code.
lines() {
    { tr -d ' ' <bytes; printf '\n\n4801 07\nzz\n900f\n488b07488906\n'; } >lines
}
lines
each_line() {
    run depbound "$cpu" --llvm-mca=none --format=json "$@" >out 2>err || return 1
    cat err
    jq -e '[.loops[].region] == ["line 1", "line 3", "line 6"]' out &&
        jq -c '.loops[0] | [.memory, .registers, .instructions]' out >region &&
        cmp whole region
}
ok "--hex of a file takes each line as a region" each_line --hex=lines
ok "--hex names the lines that are no code, and why" equal "$(cat err)" \
    "depbound: lines: line 4: not hexadecimal at \"zz\"
depbound: lines: line 5: no instruction at 0x1"
no_lines() {
    : >none
    printf 'zz\n4\n' >bad
    says 'depbound: none: no code' --hex=none &&
        says 'depbound: bad: line 1: not hexadecimal at "zz"' --hex=bad
}
ok "a file of --hex without code is an error" no_lines
standard_input() { each_line --hex=- <lines; }
ok "--hex=- takes the lines of standard input" standard_input
unrolled() {
    holds '.loops[0].predicted == 1' --hex=90 &&
        holds '.loops[0].predicted < 0.01' --hex=90 --unrolled
}
ok "--unrolled takes away the cycle of the jump back" unrolled
initial() {
    holds '.loops[0].edges == 0' --hex=488b07488906 &&
        holds '.loops[0].edges == 1' --hex=488b07488906 --initial=same &&
        holds '.loops[0].edges == 0' --hex=488b0424488906 --initial=same
}
ok "--initial=same makes all pointers equal but that to the stack" initial
object() {
    "$compiler" -c -o sum.o sum.s && as_whole --range="1-$((1 + end - start))" \
        sum.o
}
ok "--range works in an object file" object
source_alone() {
    holds '.loops | length == 1 and .[0].region == null and
        .[0].function == "f" and .[0].line == "sum.s:5"' sum.s &&
        jq -c '.loops[0] | [.memory, .registers, .instructions]' out >got &&
        cmp whole got
}
ok "assembly source has loops, functions and lines" source_alone
from_input() { holds '.loops[0].line == "standard input:5"' - <sum.s; }
ok "assembly source may come from standard input" from_input
two_ranges() {
    holds '[.loops[].region] == ["1-4", "4-8"]' --range=4-8 --range=1-4 sum.o
}
ok "ranges are reported in the order of their addresses" two_ranges

# --- Marks in assembly source ---

# marked BEGIN END NAME: has the loop its bounds and this name with these lines around
# it?
marked() {
    { sed '/^loop:/,$d' sum.s; echo "$1"; sed -n '/^loop:/,/jne/p' sum.s
      echo "$2"; sed -n '/^end:/,$p' sum.s; } >marked.s
    as_whole marked.s && [ "$(jq -r '.loops[0].region' out)" = "$3" ] &&
        jq -e '.loops[0].line == "marked.s:6"' out
}
ok "llvm-mca's marks choose a region" marked "# LLVM-MCA-BEGIN" "# LLVM-MCA-END" "region 1"
ok "a mark of llvm-mca may have a name" \
    marked "# LLVM-MCA-BEGIN my sum" "# LLVM-MCA-END my sum" "my sum"
ok "OSACA's marks choose a region" marked "# OSACA-BEGIN" "# OSACA-END" "region 1"
ok "a mark may be in a comment of C" marked "/* LLVM-MCA-BEGIN a */" \
    "// LLVM-MCA-END" a
iaca="movl \$111, %ebx; .byte 100, 103, 144"
iaca_end="movl \$222, %ebx; .byte 100, 103, 144"
ok "IACA's marks, which are bytes, choose a region" marked "$iaca" "$iaca_end" "region 1"
binary_marks() {
    assembles marked &&
        as_whole marked && "$compiler" -c -o marked.o marked.s &&
        as_whole marked.o
}
ok "IACA's marks choose a region of a program and of an object file" binary_marks
several() {
    cat >several.s <<'END'
        .text
        # LLVM-MCA-BEGIN first
        addsd   (%rdi), %xmm0
        # LLVM-MCA-END first
        .section .text.other, "ax"
        nop     # LLVM-MCA-BEGIN second
        addsd   x(%rip), %xmm0
        movsd   %xmm0, x(%rip) # LLVM-MCA-END
        .bss
x:      .quad   0
END
    holds '[.loops[].region] == ["first", "second"] and
        (.loops[0] | .edges == 0 and .instructions == 1) and
        (.loops[1] | .edges == 1 and .instructions == 2 and
            .limited_by == "memory")' several.s
}
ok "several sections of a source may have regions" several
intel() {
    cat >intel.s <<'END'
        .intel_syntax noprefix
        # OSACA-BEGIN
        add     rax, [rdi]
        mov     [rdi], rax
        # OSACA-END
END
    holds '.loops[0] | .edges == 1 and .instructions == 2' intel.s
}
ok "source in Intel's syntax may have marks" intel

# --- Advice ---

# regions: assembly on standard input, whose lines "# NAME" become llvm-mca's marks of what
# stands after each.
regions() {
    awk 'function end() { if (n++) print "# LLVM-MCA-END" }
        /^# / { end(); $1 = "# LLVM-MCA-BEGIN" }
        { print }
        END { end() }'
}
# A root of a number in memory, of another register, and of itself; a byte and a condition
# that go into a part of a register; two sums and a product of sums; a loop that waits for
# another thread, and one that counts.
regions >advice.s <<'END'
# of-memory
        sqrtsd  (%rdi), %xmm0
# of-another
        sqrtsd  %xmm1, %xmm0
# of-itself
        sqrtsd  %xmm0, %xmm0
# into-full
        sqrtsd  (%rdi), %xmm0
        unpcklpd %xmm0, %xmm0
# into-zero
        cvtsi2sdl %eax, %xmm0
# byte
        movb    (%rdi), %al
        imulq   %rax, %rax
# condition
        cmpl    %ecx, %edx
        sete    %al
        imulq   %rax, %rax
# whole
        movzbl  (%rdi), %ecx
        addl    %ecx, %eax
        imull   %eax, %eax
# unrolled
        addsd   (%rdi), %xmm0
        addsd   8(%rdi), %xmm0
# mixed
        addsd   (%rdi), %xmm0
        mulsd   8(%rdi), %xmm0
# apart
        addsd   (%rdi), %xmm0
        mulsd   %xmm1, %xmm0
        subsd   8(%rdi), %xmm0
        addsd   16(%rdi), %xmm0
# spins
1:      cmpl    $0, (%rdi)
        jne     1b
# counts
1:      incl    %eax
        cmpl    (%rdi), %eax
        jne     1b
# moves
1:      addq    $8, %rax
        cmpq    %rdi, (%rax)
        jne     1b
# falls
1:      subl    $1, %eax
        jne     1b
# twice
1:      addq    $8, %rax
        movq    (%rax), %rdi
        addq    $8, %rax
        cmpq    %rdi, (%rax)
        jne     1b
# divides
1:      movq    %rsi, %rcx
        xorl    %edx, %edx
        movq    (%rsi), %rsi
        movslq  8(%rcx), %rax
        divq    %r14
        leaq    (%r15,%rdx,8), %rax
        movq    (%rax), %rdi
        testq   %rdi, %rdi
        movq    (%rdi), %rdx
        movq    %rdx, (%rcx)
        movq    (%rax), %rax
        movq    %rcx, (%rax)
        testq   %rsi, %rsi
        jne     1b
# sums
1:      addq    (%rdi), %rax
        jnz     1b
END
# advised PROCESSOR FILTER REGION...: is this true of the advice for these regions?
advised() {
    model=$1 claim=$2
    shift 2
    for region; do
        holds ".loops[] | select(.region == \"$region\") | .advice // \"\" | $claim" \
            --top=20 ${model:+--cpu="$model"} advice.s || return
    done
}
xorps='test("keeps a part of %xmm0, .* xorps %xmm0, %xmm0 before it")'
# A machine that waits for an upper half that is 0.
jq 'del(.zero_upper)' "$root/depbound/machines/znver3.json" >waits.json
merge() { advised waits.json "$xorps" of-memory of-another && advised waits.json "$xorps | not" of-itself; }
ok "an instruction that waits for a part of a register that it keeps is reported" merge
# Zen 5 knows that the upper half is 0, until something else is put there.
upper() {
    cycles() { echo ".loops[] | select(.region == \"$1\") | .predicted"; }
    holds "$(cycles of-memory) < 10" --cpu=znver5 --top=20 advice.s &&
        holds "$(cycles into-full) > 15" --cpu=znver5 --top=20 advice.s &&
        holds "$(cycles into-zero) < 2" --cpu=znver5 --top=20 advice.s &&
        holds "$(cycles into-zero) > 2" --cpu=waits.json --top=20 advice.s
}
ok "a register whose upper half is known to be 0 is not waited for" upper
# Zen 4: a round of each loop as measured on it.
regions >parts.s <<'END'
# low
1:      mulq    %rcx
        decq    %rbx
        jnz     1b
# high
1:      mulq    %rcx
        movq    %rdx, %rax
        decq    %rbx
        jnz     1b
# high-of-mulx
1:      mulxq   %rcx, %rax, %rdx
        decq    %rbx
        jnz     1b
# vector
1:      pinsrd  $1, %eax, %xmm1
        decq    %rbx
        jnz     1b
# general
1:      pinsrd  $1, %eax, %xmm1
        movd    %xmm1, %eax
        decq    %rbx
        jnz     1b
END
parts() {
    holds '[.loops | sort_by(.region)[] | [.region, (.predicted * 10 | round)]] ==
        [["general", 70], ["high", 40], ["high-of-mulx", 40], ["low", 30], ["vector", 10]]' \
        --cpu=znver4 --top=20 parts.s
}
ok "operands and halves of a product have latencies of their own" parts
# Sapphire Rapids: likewise.
regions >divided.s <<'END'
# quotient
1:      cqto
        idivq   %rcx
        decq    %rbx
        jnz     1b
# remainder
1:      movq    %rdx, %rax
        xorl    %edx, %edx
        idivq   %rcx
        decq    %rbx
        jnz     1b
END
divided() {
    holds '[.loops | sort_by(.region)[].predicted | round] == [16, 19]' \
        --cpu=sapphirerapids --top=20 divided.s
}
ok "the remainder of a division has a latency of its own" divided
rest='test("keeps the rest of its register")'
rest() {
    advised znver3 "$rest" byte && advised "" "$rest" condition && advised "" "$rest | not" whole
}
ok "an instruction that waits for the rest of a register that it keeps is reported" rest
several='test("several accumulators")'
accumulators() { advised "" "$several" unrolled && advised "" "$several | not" mixed; }
ok "several accumulators are advised for sums, also unrolled ones" accumulators
counters() {
    advised znver5 'test("least for a jump; .* unrolled")' moves falls &&
        advised znver5 'test("accumulators") | not' twice && advised znver5 "$several" sums
}
ok "counters, and pointers that move on, are no accumulators" counters
ok "what queues for a busy divider is no chain from iteration to iteration" \
    holds '.loops[] | select(.region == "divides") | .predicted == 7 and .chain == []' \
    --cpu=znver5 --top=20 advice.s
swap='test("^The subsd at .* and the addsd .* other operands, put together before")'
swapped() { advised "" "$swap" apart && advised "" "$swap | not" mixed; }
ok "of additions that follow each other on a chain, one could leave it" swapped
spin() { advised "" 'test("unrolled")' counts && advised "" '. == ""' spins; }
ok "no advice is given to a loop that waits for another thread" spin

# --- Source for the C preprocessor ---

mkdir include
cat >include/sum.h <<'END'
#define STEP 8
END
cat >cpp.S <<'END'
#include "include/sum.h"
#if STEP != 8
#error not this one
#endif
        .text
        .globl  f
        .type   f, @function
f:      nop
loop:   movq    (%rdi), %rax
        addq    %rax, STEP(%rdi)
        addq    $STEP, %rdi
        decq    %rsi
        jne     loop
end:    ret
        .size   f, . - f
END
preprocessed() {
    holds '.loops | length == 1 and .[0].region == null and
        .[0].function == "f" and .[0].line == "cpp.S:9"' cpp.S &&
        jq -c '.loops[0] | [.memory, .registers, .instructions]' out >got &&
        cmp whole got
}
ok "source for the C preprocessor has the lines of its file" preprocessed
elsewhere() {
    mkdir -p other && cd other &&
        holds '.loops[0].line == "cpp.S:9"' ../cpp.S && cd .. &&
        cp cpp.S cpp.sx && holds '.loops[0].line == "cpp.sx:9"' cpp.sx
}
ok "source may include files beside it, and may be named .sx" elsewhere
ok "staticdeps takes source for the C preprocessor" \
    sh -c '"$1" staticdeps --format=json cpp.S |
    jq -e ".objects[0] | .path == \"cpp.S\" and any(.blocks[]; .deps != [])"' \
    sh "$root/scripts/run-in-tree"
marked_cpp() {
    sed "s,^loop:.*,$1\n&,; s,^end:,$2\n&," cpp.S >marked.S &&
        as_whole marked.S && jq -e '.loops[0] | .region == "a" and
            .line == "marked.S:10"' out
}
ok "source for the preprocessor may have marks" \
    marked_cpp "# LLVM-MCA-BEGIN a" "# LLVM-MCA-END a"
ok "a mark in source for the preprocessor may be in a comment of C" \
    marked_cpp "/* LLVM-MCA-BEGIN a */" "// LLVM-MCA-END"
sed 's,^loop:,# OSACA-BEGIN\n&,' cpp.S >wrong.S
ok "a mark without end is refused with its line" says \
    "depbound: wrong.S:9: a region begins that does not end" wrong.S
echo '#error why' >wrong.S
ok "an error of the preprocessor is reported with its line" says \
    "depbound: wrong.S:1:2: #error why" wrong.S
printf '#include "none.h"\n' >wrong.S
ok "a missing included file is reported with its line" says \
    "depbound: wrong.S:1:10: none.h: No such file or directory" wrong.S
printf '#define A 1\n\n\tfoo %%eax\n' >wrong.S
ok "an error of the assembler is reported with its line" says \
    "depbound: wrong.S:3: no such instruction: \`foo %eax'" wrong.S
printf '\tfoo %%eax\n' >include/wrong.h
printf '\tnop\n#include "include/wrong.h"\n' >wrong.S
ok "an error in an included file is reported with that file's line" says \
    "depbound: include/wrong.h:1: no such instruction: \`foo %eax'" wrong.S
ok "a missing source for the preprocessor is refused" says \
    "depbound: none.S: No such file or directory" none.S

body() {
    printf '\taddq\t(%%rdi), %%rax\n\tmovq\t%%rax, (%%rdi)\n' >body.s
    holds '.loops | length == 1 and (.[0] | .edges == 1 and
        .instructions == 2 and .region == "region 1")' body.s
}
ok "source without marks and loops is one region" body
compiled() {
    "$compiler" -O2 ${1:+"$1"} -S -o loops.s "$srcdir/programs/loops.c" &&
        holds '.loops[] | select(.function == "through_memory") |
            .limited_by == "memory" and
            (.line | test("'"$2"':[0-9]+$"))' loops.s
}
ok "assembly of a compiler is reported with its own lines" compiled "" "^loops.s"
ok "assembly of a compiler with -g is reported with lines of C" compiled -g "^loops.c"
names() {
    report -o cost.db several.s &&
        has "^2 regions" "^second  several.s:7: .* limited by memory" && has_rows cost.db \
        "SELECT group_concat(region) FROM loops ORDER BY id" first,second
}
ok "text and cost.db have the names of regions" names

# --- What is refused ---

: >empty
ok "--hex refuses what is not hexadecimal" says \
    'depbound: --hex: not hexadecimal at "zz"' --hex=48zz
ok "--hex refuses half a byte" says 'depbound: --hex: half a byte at "4"' --hex='90 4'
ok "--hex refuses to have no bytes" says "depbound: --hex: no code" --hex=
ok "--hex refuses bytes that are no instruction" says \
    "depbound: --hex: no instruction at 0x1" --hex=9006
ok "--hex refuses half an instruction" \
    says "depbound: --hex: no instruction at 0x1" --hex=9048
ok "--hex refuses a file without code" says "depbound: empty: no code" --hex=empty
for option in unrolled initial=same; do
    ok "--$option of a program with loops is refused" says \
        "depbound: --$option: needs regions; there are none" --$option sum
done
ok "--initial refuses what is no policy" says \
    "depbound: --initial=none: must be different or same" --initial=none --hex=90
ok "--range refuses an end beyond the code" says \
    "depbound: sum.o: 1-1000: no code at $(printf %#x $((2 + end - start)))" \
    --range=1-1000 sum.o
ok "--range refuses addresses without code" says \
    "depbound: sum: 0x10-0x20: no code at 0x10" --range=0x10-0x20 sum
ok "--range refuses a start within an instruction" says \
    "depbound: sum.o: 2-3: no instruction at 0x2" --range=2-3 sum.o
for range in 5-5 6-5 5 x-y -5; do
    ok "--range refuses $range" says \
        "depbound: --range=$range: must be two addresses START-END" \
        --range=$range sum
done
ok "--range refuses overlapping ranges" \
    says "depbound: sum.o: 1-4 and 1-8 overlap" --range=1-4 --range=1-8 sum.o
ok "--range without a file is refused" refuses depbound usage depbound --range=1-2
ok "--range and --function together are refused" says \
    "depbound: --range: takes no --function" --range=1-2 --function=f sum
ok "--hex and --range together are refused" \
    says "depbound: --hex: takes no --range" --hex=90 --range=1-2
database() {
    run staticdeps -o static.db sum &&
        says "depbound: --range: takes no database" --range=1-2 sum static.db &&
        says "depbound: --hex: takes no database" --hex=90 static.db
}
ok "--range and --hex take no database" database
ok "--hex and a program together are refused" \
    says "depbound: --hex: takes no program" --hex=90 sum
printf 'nop\n\tfoo %%eax\n' >wrong.s
ok "an error in assembly source is reported with its line" says \
    "depbound: wrong.s:2: no such instruction: \`foo %eax'" wrong.s
printf '\tmov rax, [rdi]\n' >intel_alone.s
ok "source that may have Intel syntax is told how that begins" says \
    "depbound: intel_alone.s:1: operand size mismatch for \`mov'; before Intel$(
        ) syntax: .intel_syntax noprefix" intel_alone.s
ok "a missing assembly source is refused" says \
    "depbound: none.s: No such file or directory" none.s
printf '\t.data\n\t.quad 1\n' >data.s
ok "assembly source without code is refused" \
    says "depbound: data.s: no executable sections" data.s
while IFS='|' read -r line what text <&3; do
    printf '%b' "$text" >wrong.s
    ok "depbound refuses marks in source: $what" says "depbound: wrong.s:$line: $what" wrong.s
done 3<<'END'
1|a region ends that did not begin|# OSACA-END\n
2|a region begins that does not end|nop\n# OSACA-BEGIN\nnop\n
3|a region begins within another|# LLVM-MCA-BEGIN a\nnop\n# LLVM-MCA-BEGIN b\n
3|another region ends than has begun|# LLVM-MCA-BEGIN a\nnop\n# LLVM-MCA-END b\n
2|a region without code|# OSACA-BEGIN\n# OSACA-END\nnop\n
END
printf '%s\nnop\n' "$iaca" >wrong.s
ok "IACA's mark without its end is refused" says \
    "depbound: wrong.s: no end for IACA's mark at 0" wrong.s
# without_tool SOURCE TEXT: does it name the tool for a source that is not installed?
without_tool() {
    PATH=$DEPSIM_BUILD/staticdeps "$DEPSIM_BUILD/depbound/depbound" "$cpu" \
        --llvm-mca=none "$1" >out 2>err
    [ $? -eq 2 ] && equal "$(cat err)" "depbound: $2"
}
ok "depbound names a missing assembler and its package" without_tool sum.s \
    "as: No such file or directory (the Debian package binutils has it)"
ok "depbound names a missing preprocessor and its package" without_tool cpp.S \
    "cc: No such file or directory (the Debian package gcc has it)"
none_left() { ls "$TMPDIR" && [ -z "$(ls "$TMPDIR")" ]; }
ok "runs that fail leave no temporary files" none_left
TMPDIR=$tmp/nowhere
ok "a missing directory for temporary files is refused" \
    refuses depbound nowhere depbound "$cpu" --llvm-mca=none sum.s

end_of_cases
