#!/bin/sh
# depbound --region-markers=auto: an assembler, llvm-mca and depbound itself read the
# source in which it marks loops.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

for mca in $(seq -f llvm-mca-%g 30 -1 19) llvm-mca none; do
    ! command -v "$mca" >/dev/null || break
done

# mark ARGUMENT...: writes the marked source to marked.s.
mark() {
    ends 0 "$cpu" --llvm-mca=none --region-markers=auto "$@" && cp out marked.s && [ ! -s err ]
}
# costs FILE...: prints the bounds of its loops, in the order of their code.
costs() {
    run depbound "$cpu" --llvm-mca=none --format=json "$@" | jq -c '
        .loops | sort_by(.address) | map(select(.calls | not) |
            [.memory, .registers, .instructions])'
}
# code FILE: prints the code of the object file.
code() {
    objcopy -O binary --only-section=.text "$1" text && od -An -v -tx1 text
}
# same_code SOURCE: does marked.s assemble to the code of the source?
same_code() {
    "$compiler" -c -o before.o "$1" && "$compiler" -c -o marked.o marked.s &&
        code before.o >before && code marked.o >after && cmp before after
}
# no_other SOURCE: has marked.s nothing but marks beside the lines of the source?
no_other() {
    diff "$1" marked.s | grep '^[<>]' | grep -v '^> # .* cycles an iteration, limited by' |
        grep -v '^> # \(LLVM-MCA\|OSACA\)-\(BEGIN\|END\)'
    [ $? -eq 1 ]
}

compile() {
    "$compiler" -O2 -S -o loops.s "$srcdir/programs/loops.c" &&
        "$compiler" -O2 -g -S -o lines.s "$srcdir/programs/loops.c"
}
ok "loops are compiled to assembly source" compile
source_of() {
    costs "$1" >want && mark "$1" && same_code "$1" && no_other "$1" &&
        costs marked.s >got && cat want got && cmp want got &&
        [ "$(grep -c '^# LLVM-MCA-BEGIN' marked.s)" -eq \
            "$(grep -c '^# .* cycles an iteration' marked.s)" ] &&
        [ "$(grep -c '^# LLVM-MCA-BEGIN' marked.s)" -ge "$(jq length want)" ] &&
        [ "$(grep -c '^# not marked' marked.s)" -eq 0 ]
}
ok "marks change neither the code nor the bounds of a source" source_of loops.s
named() {
    grep -x '# LLVM-MCA-BEGIN through_memory loops.s:[0-9]*' marked.s &&
        grep -B1 -x '# LLVM-MCA-BEGIN through_memory .*' marked.s |
        grep -x '# .* cycles an iteration, limited by memory'
}
ok "marks name function and line, and say what limits the loop" named
# asks FILE NAME...: does llvm-mca read exactly these regions, without a warning?
asks() {
    file=$1
    shift
    "$mca" --mtriple=x86_64 --mcpu=znver3 "$file" >said 2>err || { cat err; return 1; }
    sed -n 's/^\[[0-9]*\] Code Region - //p' said >got
    cat got err
    printf '%s\n' "$@" | cmp - got && ! grep -v call err &&
        [ "$(grep -c '^Block RThroughput: [0-9]' said)" -eq $# ]
}
regions() { sed -n 's/^# LLVM-MCA-BEGIN //p' marked.s; }
asks_all() {
    regions >names
    # shellcheck disable=SC2046 # lines
    (IFS='
'; asks marked.s $(cat names))
}
has_mca='[ "$mca" != none ]' no_mca="there is no llvm-mca"
ok_if "$has_mca" "$no_mca" "llvm-mca reads the marks in a source" asks_all
osaca=${OSACA:-osaca}
asks_osaca() {
    mark --function=through_memory loops.s &&
        "$osaca" --arch zen4 --ignore-unknown marked.s >said 2>err &&
        cat said && sed -n '/^# OSACA-BEGIN/,/^# OSACA-END/s/^\t//p' marked.s >code &&
        grep -v '^\.' code | while IFS='	' read -r name _; do
            sed -n '/^Combined/,/^Loop-Carried/p' said | grep -w "$name" || exit 1
        done && grep '^Loop-Carried Dependencies' said
}
ok_if 'command -v "$osaca"' "there is no OSACA; the variable OSACA may name it" \
    "OSACA reads the marks in a source" asks_osaca
from_input() {
    mark loops.s && cp marked.s want && mark - <loops.s &&
        sed 's/standard input:/loops.s:/' marked.s | cmp - want
}
ok "source from standard input gets marks" from_input
with_lines() {
    source_of lines.s && grep -x '# LLVM-MCA-BEGIN through_memory loops.c:[0-9]*' marked.s
}
ok "marks in source with debug information name lines of C" with_lines
top() { mark --top=1 loops.s && [ "$(grep -c '^# OSACA-BEGIN' marked.s)" -eq 1 ]; }
ok "--top=1 marks only one loop" top

# An instruction in the line of a label, two in one line, and a loop at the end of the
# file, which has no newline.
hand() {
    printf '%s\n' 'f: nop' 'a: addq (%rdi), %rax; movq %rax, (%rdi)' \
        '   decq %rsi; jne a' 'b: subq $1, %rsi' >hand.s
    printf '   jne b' >>hand.s
    costs hand.s >want && mark hand.s && sed 's/ cycles.*//; s/^# [0-9.]*$/# n/' \
        marked.s >got && diff - got <<'END' && costs marked.s >got && cmp want got
f: nop
# n
# LLVM-MCA-BEGIN hand.s:2
# OSACA-BEGIN
a: addq (%rdi), %rax; movq %rax, (%rdi)
   decq %rsi; jne a
# OSACA-END
# LLVM-MCA-END hand.s:2
# n
# LLVM-MCA-BEGIN hand.s:4
# OSACA-BEGIN
b: subq $1, %rsi
   jne b
# OSACA-END
# LLVM-MCA-END hand.s:4
END
}
ok "marks surround loops that begin or end within a line" hand
one_line() {
    echo 'a: decq %rsi; jne a; b: decq %rdi; jne b' >line.s
    mark line.s && diff - marked.s <<'END'
a: decq %rsi; jne a; b: decq %rdi; jne b
# not marked: line.s:1
# not marked: line.s:1
END
}
ok "two loops in one line are named, not marked" one_line
macro() {
    printf '%s\n' .macro\ down '1: decq %rsi' 'jne 1b' '.endm' down \
        'a: decq %rdi' 'jne a' '/* b:' '*/ nop' '.rept 2' '2: decq %rax' \
        'jne 2b' .endr >macro.s
    mark macro.s && same_code macro.s && no_other macro.s
    grep -v '^# [0-9.]* cycles' marked.s | sed -n '5,$p' >got
    diff - got <<'END'
# LLVM-MCA-BEGIN macro.s:5
# OSACA-BEGIN
down
# OSACA-END
# LLVM-MCA-END macro.s:5
# LLVM-MCA-BEGIN macro.s:6
# OSACA-BEGIN
a: decq %rdi
jne a
# OSACA-END
# LLVM-MCA-END macro.s:6
/* b:
*/ nop
.rept 2
2: decq %rax
jne 2b
.endr
# not marked: macro.s:11
# not marked: macro.s:11
END
}
ok "the use of a macro is marked, and a repeated block is not" macro
sections() {
    cat >sections.s <<'END'
        .text
f:      decq    %rsi
        .section .rodata
x:      .string "# no comment; jne f"
        .text
        jne     f
        ret
        .section .text.other, "ax"
g:      addsd   x(%rip), %xmm0
        jmp     g
END
    source_of sections.s
}
ok "marks surround a loop around another section, and one within" sections
preprocessed() {
    printf '#define STEP 8\n' >step.h
    printf '%s\n' '#include "step.h"' 'f: addq $STEP, %rdi # LLVM' 'jne f' >cpp.S
    costs cpp.S >want && mark cpp.S && grep -x '# LLVM-MCA-BEGIN .*cpp.S:2' \
        marked.s && grep 'addq $8, %rdi' marked.s && same_code cpp.S &&
        costs marked.s >got && cmp want got
}
ok "source for the preprocessor gets marks" preprocessed

# --- Programs and machine code ---

program() {
    "$compiler" -O2 -g -o loops "$srcdir/programs/loops.c" &&
        run depbound "$cpu" --llvm-mca=none --edges=none --format=json loops |
        jq -c '.loops | map([.registers, .instructions])' >want &&
        mark --edges=none "$@" loops && "$compiler" -c -o marked.o marked.s &&
        run depbound "$cpu" --llvm-mca=none --edges=none --format=json marked.s |
        jq -c '.loops | map([.registers, .instructions])' >got &&
        cat want got marked.s && cmp want got && ! grep -F .byte marked.s
}
ok "a program becomes source with the bounds of its loops" program
ok "source of a program has the marks of llvm-mca and OSACA" \
    sh -c 'grep "^# LLVM-MCA-BEGIN through_memory loops.c:" marked.s &&
    [ "$(grep -c "^# OSACA-END" marked.s)" -eq "$(jq length want)" ]'
ok_if "$has_mca" "$no_mca" "llvm-mca reads the source of a program" asks_all
ok "a program becomes source in Intel's syntax" program --syntax=intel
ok_if "$has_mca" "$no_mca" "llvm-mca reads source of a program in Intel's syntax" asks_all
executed() {
    records deps.db ./loops &&
        mark --top=1 loops deps.db && [ "$(regions | wc -l)" -eq 1 ]
}
ok "--top=1 marks the loop of a run that costs most" executed
# Machine code without a file, which has neither labels nor lines.
bytes() {
    mark --hex="48 03 07 48 89 07" && grep 'addq (%rdi), %rax' marked.s &&
        "$compiler" -c -o marked.o marked.s
}
ok "machine code becomes source that an assembler takes" bytes

# --- What is refused ---

marked_already() {
    printf '# OSACA-BEGIN\nnop\n# OSACA-END\n' >already.s
    refuses depbound already.s depbound "$cpu" --llvm-mca=none \
        --region-markers=auto already.s
}
ok "source that has marks gets no other ones" marked_already
ok "depbound refuses --region-markers=here" \
    refuses depbound region-markers depbound --region-markers=here loops.s
for option in --format=json --dot --annotate; do
    ok "depbound refuses --region-markers with $option" \
        refuses depbound region-markers depbound \
        --region-markers=auto $option loops.s
done
no_as() {
    PATH=$DEPSIM_BUILD/staticdeps "$DEPSIM_BUILD/depbound/depbound" "$cpu" \
        --llvm-mca=none --region-markers=auto loops >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && grep '^depbound: as: No such file' err
}
ok "--region-markers names a missing assembler" no_as
end_of_cases
