#!/bin/sh
# depbound as a user calls it: what it takes, what its options do, and how it ends.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# --- A program with loops ---

ok "depsim records and staticdeps predicts the dependencies of the loops" prepare_loops
n=$(sed -n 's/^#define N *//p' "$srcdir/programs/loops.c")
times=$(sed -n 's/^#define TIMES *//p' "$srcdir/programs/loops.c")

ok "the loop that carries a value through memory is limited by memory" \
    holds "$(loop through_memory) |
    .limited_by == \"memory\" and .memory > .without_memory and
    .predicted == .memory and .memory_bound and .edges >= 1 and
    any(.chain[]; .wait == \"memory\" and .rounds == 1)" loops static.db
ok "the loop that carries a value in a register is limited by registers" \
    holds "$(loop through_registers) |
    .limited_by == \"registers\" and .registers == 8 and
    .memory == .registers and (.memory_bound | not)" loops static.db
ok "depbound runs staticdeps if no static.db is given" \
    holds "$(loop through_memory) |
    .limited_by == \"memory\"" loops

# Walks follow few rounds of a loop; the analysis of its block alone follows more.
cat >kept.c <<'END'
__attribute__((noinline)) void kept(volatile long *a, long n)
{
    for (long i = 4; i <= n; i++) {
        long x = a[i - 4];

        a[i] = x + 3;
    }
}
long data[100];
int main(int argc, char **argv)
{
    (void)argv;
    kept(data, argc);
    return 0;
}
END
ok "the loop of one block is built" "$compiler" -O2 -o kept kept.c
ok "a value stored four rounds before is found in a loop of one block" \
    holds '.loops[0] | .memory == 1.5 and .edges == 1' --function=kept kept
same_alone() {
    report --format=json loops static.db && cp out with &&
        report --format=json loops && cmp with out
}
ok "four rounds back give the same result with a static.db and without" same_alone
ok "without a deps.db depbound uses predicted edges" holds \
    '.edges == "static" and all(.loops[]; .rounds == 0)' loops
ok "with a deps.db depbound uses observed edges" holds \
    '.edges == "observed"' loops deps.db static.db

# A histogram of bytes with as many values as its argument says.
cat >histogram.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) void count(const unsigned char *p, long n, unsigned *h)
{
    for (long i = 0; i < n; i++)
        h[p[i]]++;
}
static unsigned char bytes[5000];
static unsigned h[256];
int main(int argc, char **argv)
{
    unsigned x = 1;

    for (int i = 0; i < 5000; i++) {
        x = x * 1664525 + 1013904223;
        bytes[i] = (unsigned char)((x >> 16) % (unsigned)atoi(argv[argc - 1]));
    }
    count(bytes, 5000, h);
    return 0;
}
END
# histogram VALUES LEAST MOST: are the cycles of a round within these?
histogram() {
    rm -f h.db
    records h.db ./histogram "$1" &&
        holds ".loops[0] | .predicted >= $2 and .predicted <= $3" \
            --function=count histogram h.db
}
ok "a histogram is built" "$compiler" -O2 -o histogram histogram.c
ok "a histogram of one value waits for it in each round" histogram 1 6 6
ok "a histogram of two values waits in every second round" histogram 2 2.7 3.3
ok "a histogram of many values waits for none" histogram 256 1 1
on_average() {
    histogram 2 2.7 3.3 && report --function=count histogram h.db &&
        grep -q 'next iteration, [12]\.[0-9]* on average' out
}
ok "the report shows the average of rounds that vary" on_average

# A load of 8 bytes, half of which a store of 8 bytes wrote.  The operands do not show
# that, but the addresses do.
cat >halves.s <<'ASM'
        .globl  _start
_start: leaq    cell(%rip), %rdi
        leaq    4(%rdi), %rsi
        movl    $1000, %ecx
.Lround: movq   (%rsi), %rax
        addq    $1, %rax
        movq    %rax, (%rdi)
        decl    %ecx
        jnz     .Lround
        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
        .bss
        .balign 64
cell:   .skip   16
ASM
observe_halves() {
    "$compiler" -nostdlib -static -o halves halves.s &&
        run staticdeps --scope=function -o halves.static.db halves &&
        records halves.db ./halves
}
# halves FILTER: is this jq filter true of its only loop?
halves() {
    holds ".loops | length == 1 and (.[0] | $1)" halves halves.db halves.static.db
}
ok "depsim observes loads that the store covers only in part" observe_halves
ok "a load that was observed to be partial has a failed forward" \
    halves '.memory == 21 and
    ([.failed[] | [.relation, .observed, .cycles, .rounds, .distance,
        .from.text]] == [["partial", true, 20, 1, 3, "movq %rax, (%rdi)"]]) and
    any(.chain[]; .relation == "partial" and .observed and
        .forwarding == "failed" and .distance == 3)'
# A load of eight bytes, of which each of the eight iterations before has stored one: by
# then, only the last of the stores has not left its buffer.
varying() {
    sed 's/leaq    cell(/leaq    cell+8(/; s/movq   (%rsi)/movq   -8(%rdi)/
        s/movq    %rax, .*/movb %al, (%rdi); incq %rdi/; s/skip.*/skip 2000/' halves.s >eight.s &&
        "$compiler" -nostdlib -static -o eight eight.s && records eight.db ./eight &&
        holds '.loops[0] | [.failed, .dependencies | .[] | [.relation, .rounds, .distance]] ==
            [["several", 1, 4], ["several", 1, 4]]' eight eight.db
}
ok "a failed forward from stores of many iterations is one dependency" varying
says_what_fails() {
    report halves halves.db halves.static.db && has \
        "  movq (%rsi), %rax .*  failed (partial, observed)  next iteration, distance 3\$" \
        "Failed forward of 20.00 cycles, from 0x.* (partial, observed)  next iteration, distance 3\$"
}
ok "the text report says that the forward fails" says_what_fails
ok "the Markdown report says that the forward fails" tells \
    '^| .* | .movq %rax, (%rdi). .* | .movq (%rsi), %rax. .*| 1 | 3 | failed | partial, observed | 20.00 |$' \
    --format=markdown halves halves.db halves.static.db
says_in_database() {
    report -o halves.cost.db halves halves.db halves.static.db &&
        has_rows halves.cost.db "SELECT relation, observed, cycles, rounds, distance
                FROM loops_failed;
            SELECT forwarding, relation, observed, distance FROM loops_chain
                WHERE wait = 'memory';
            SELECT count(*) FROM loops_chain WHERE wait <> 'memory' AND relation IS NOT NULL" \
            "$(printf '%s\n' 'partial|1|20.0|1|3' 'failed|partial|1|3' 0)"
}
ok "cost.db says that the forward fails" says_in_database
without_forwards() {
    sqlite3 halves.db "UPDATE dep_lifetime SET same = 0, contained = 0,
        partial = 0, several = 0, crossing = 0"
    halves "$1"
}
# as_observed DEPS REPORT FILTER: is the distance of each pair the smallest in deps.db?
as_observed() {
    jq -r "$3 | \"\(.from.address) \(.to.address) \(.distance)\"" "$2" |
        sort -u >pairs && cat pairs && [ -s pairs ] &&
        while read -r store load distance; do
            [ "$(sqlite3 "$1" "SELECT min(min_distance) FROM dep
                WHERE src = $store AND dst = $load")" = "$distance" ] || return
        done <pairs
}
distances() {
    report --format=json halves halves.db halves.static.db &&
        as_observed halves.db out '.loops[].failed[]' &&
        report --format=json loops deps.db static.db && cp out loops.json &&
        as_observed deps.db out '.loops[].chain[] | select(.wait == "memory")' &&
        report -o near.cost.db loops deps.db static.db &&
        [ "$(sqlite3 near.cost.db "SELECT DISTINCT from_address || ' ' || to_address ||
            ' ' || distance FROM loops_chain JOIN loops ON id = of_row
            WHERE wait = 'memory' AND observed AND function <> 'main' ORDER BY 1")" = \
            "$(cat pairs)" ]
}
ok "the distances in the report are those that depsim recorded" distances
ok "the text report says the distances" \
    tells "  next iteration, distance $(awk '{ print $3 }' pairs)\$" --function=through_memory loops deps.db static.db
ok "a deps.db without forwarding has its forwards predicted" \
    without_forwards '.memory == 21 and
    ([.failed[] | [.relation, .observed, .cycles]] ==
        [["partial", false, 20]])'
unknown_relations() {
    sqlite3 halves.static.db "UPDATE dep SET offset = NULL, relation = 'unknown'" &&
        halves "$1"
}
ok "forwards that are unknown are derived from the operands" \
    unknown_relations '.memory < 21 and
    .failed == [] and any(.chain[]; .relation == "same" and
        .observed == false and .forwarding == "forwarded")'
ok "the observed edge and the predicted edge of a loop are the same" \
    holds "$(loop through_memory) |
    .limited_by == \"memory\" and
    any(.chain[]; .wait == \"memory\" and .rounds == 1)" loops deps.db static.db
ok "--edges=static uses predictions although there is a deps.db" holds \
    ".edges == \"static\" and ($(loop through_memory) |
    .limited_by == \"memory\")" --edges=static loops deps.db static.db
ok "--edges=none leaves out all edges through memory" \
    holds ".edges == \"none\" and ($(loop through_memory) |
    .limited_by != \"memory\" and .memory == .registers and .edges == 0)" \
    --edges=none loops deps.db static.db
# The compiler may peel off the first round.
ok "depsim's counts give the rounds of an inner loop" \
    holds "$(loop through_registers) |
    .rounds <= $n * $n * $times and .rounds >= $n * ($n - 1) * $times and
    .entries <= $n * $times and .entries >= ($n - 1) * $times" \
    loops deps.db static.db
ok "shares of loops add up to the share of all loops" holds \
    '(.loops | map(.share) | add) - .share | fabs < 0.001' \
    --top=1000 loops deps.db static.db
ok "the loop that costs most comes first" holds \
    '[.loops[].cycles] | . == (sort | reverse)' loops deps.db static.db
ok "the report shows no outer loop" holds \
    "[$(loop through_registers)] | length == 1" loops static.db
ok "a loop begins at its source line" holds "$(loop through_memory) |
    .line | test(\"^loops.c:[0-9]+\$\")" loops static.db

eight_loads() {
    cat >gather.s <<'END'
        .globl  f
        .type   f, @function
f:      vgatherdps %ymm2, (%rdi,%ymm1,4), %ymm0
        decq    %rcx
        jne     f
        ret
        .size   f, . - f
END
    assembles gather &&
        holds '.loops[0].unknown_instructions == 1' gather
}
ok "an instruction with too many loads is counted as unknown" eight_loads

# --- Object files ---

object_file() {
    "$compiler" -g -O2 "$@" -c -o loops.o "$srcdir/programs/loops.c" &&
        holds "$(loop through_memory) | .limited_by == \"memory\" and
            (.line | test(\"^loops.c:[0-9]+\$\"))" loops.o
}
ok "an object file has loops and lines" object_file
ok "an object file with several sections of code has loops and lines" \
    object_file -ffunction-sections
cat >leaves.s <<'END'
        .globl  f, g
        .type   f, @function
f:      movq    (%rdi), %rax
        testq   %rax, %rax
        je      elsewhere
        call    g
        addq    $1, %rax
        movq    %rax, (%rdi)
        jmp     f
        .size   f, . - f
        .type   g, @function
g:      jmp     elsewhere
        .size   g, . - g
END
ok "an object file with a jump to another file is assembled" sh -c '
    "$0" -c -o leaves.o leaves.s' "$compiler"
ok "a loop of an object file that calls a function is whole" \
    holds '.loops | length == 1 and
    (.[0] | .function == "f" and .instructions == 7 and .calls)' leaves.o

# --- Options ---

ok "--function leaves only the loops of that function" holds \
    '[.loops[].function] | unique == ["by_units"]' --function=by_units loops
ok "depbound refuses a function that is not there" says \
    "depbound: --function=through_memry: there is no such function; the$(
    ) nearest is through_memory" "$cpu" --function=through_memry loops
ok "depbound suggests no function that is not like the one that is not there" says \
    "depbound: --function=nosuch: there is no such function" "$cpu" --function=nosuch loops
unmatched() {
    ends 0 "$cpu" --llvm-mca=none --source=loop loops &&
        grep -q -x "depbound: --source=loop: no loop .* in such a file; try --source='\*loop\*'" err
}
ok "--source without wildcards that matches nothing is told what to try" unmatched
ok "--min-share leaves out loops that execute little" holds \
    '(.loops | length == 1) and .left_out >= 2' --min-share=20 \
    loops deps.db static.db
ok "--min-share=0 leaves out no loop" holds '.left_out == 0' --min-share=0 \
    loops deps.db static.db
ok "--top limits the number of loops" holds '.loops | length == 1' --top=1 loops static.db
low_support() {
    cp static.db low.db && sqlite3 low.db "UPDATE dep SET support = 0.6" &&
        holds "$(loop through_memory) | .edges > 0" --support=60 loops low.db &&
        holds "$(loop through_memory) | .edges == 0" --support=61% loops low.db
}
ok "--support leaves out predictions of less support" low_support
doubtful() {
    cp halves.static.db doubtful.db && sqlite3 doubtful.db "UPDATE dep SET support = 0.6" &&
        report --format=json halves halves.static.db &&
        holds '.loops[0] | .low == .high and .not_known == null' halves halves.static.db &&
        holds '.loops[0] | .low == 1 and .high == 6 and .predicted == 6 and
            (.not_known | contains("; 1.00 to 6.00 cycles."))' --support=60 halves doubtful.db &&
        holds '.loops[0] | .low == 1 and .high == 6 and .predicted == 1 and
            (.not_known | contains("; 1.00 to 6.00 cycles."))' --support=61 halves doubtful.db &&
        report halves doubtful.db && grep -q ': ~6.00 cycles an iteration' out
}
ok "a pair of little support makes an interval" doubtful
# A store and a load of one cell, which may be renamed, and four jumps in a line of code.
unsteady() {
    cat >unsteady.s <<'EOF'
        .globl f
        .type f, @function
        .p2align 6
f:      mov 8(%rsp), %rax
        imul %rax, %rax
        mov %rax, 8(%rsp)
        dec %ecx
        jnz f
        ret
        .size f, .-f
        .globl g
        .type g, @function
        .p2align 6
g:      jmp 3f
        nop
3:      jmp 3f
        nop
3:      jmp 3f
        nop
3:      dec %ecx
        jnz g
        ret
        .size g, .-g
EOF
    jq '.unsteady = true | .forward[1] += {"delta_k": 1, "store_first": false} |
        .dispatch += {"branches": 1, "line_branches": 3, "crowded_branch": 2}' \
        "$srcdir/data/machine.json" >unsteady.json &&
        jq 'del(.unsteady)' unsteady.json >steady.json &&
        holds '[.loops[] | [.low, .predicted, .high] | map(round)] ==
            [[4, 8, 8], [3, 3, 8]]' --cpu=./unsteady.json unsteady.s &&
        holds 'all(.loops[]; .not_known | contains("which of its speeds"))' \
            --cpu=./unsteady.json unsteady.s &&
        report --cpu=./unsteady.json unsteady.s && grep -q ': ~8.00 cycles an iteration' out &&
        holds 'all(.loops[]; .low == .high and .not_known == null)' \
            --cpu=./steady.json unsteady.s
}
ok "a core that takes some code at several speeds makes an interval" unsteady
for option in --edges=some --format=yaml --top=0 --top=x --top=1000001 \
    --min-share=101 --min-share= --support=x --unknown -x --format --cpu \
    --function --llvm-mca; do
    ok "depbound refuses $option" refuses depbound "$option" \
        depbound "$cpu" loops "$option"
done

help_is_manual() {
    run depbound --help | sed -n 's/^ .\{5\}\(--[a-z-]*\).*/\1/p' |
        sort >help.options
    sed -n 's/^\.It Fl [a-z]\( Ar file\)\{0,1\} , /.It /; s/^\.It Fl -\([a-z-]*\).*/--\1/p' \
        "$root/doc/depbound.1" | sort >manual.options
    [ -s help.options ] && diff help.options manual.options
}
ok "depbound's --help and manual know the same options" help_is_manual
ok "depbound --help succeeds" ends 0 --help
ok "depbound --version succeeds" ends 0 --version

# short ARGUMENT...: the report without --verbose, in `out`.
short() {
    ends 0 "$cpu" --llvm-mca=none "$@" && [ ! -s err ]
}
# verdict: the lines of the verdict in `out`: those of its first paragraph, but for the head.
verdict() {
    awk 'BEGIN { RS = "" } NR == 2' out
}
first_and_last() {
    short loops deps.db static.db && verdict >verdict.txt &&
        tail -n "$(wc -l <verdict.txt)" out | diff verdict.txt - &&
        grep -x "No known dependency through memory in these loops $(
            )costs more than 2 % of the program's cycles\." \
            verdict.txt && grep "^Most cycles: through_registers  loops.c:25: 8.00 cycles an iteration, $(
            )limited by registers, 9[0-9] % of the program" verdict.txt &&
        grep '^first: through_memory  loops.c:15 (in a register: 1.00 (-83 %), -1 % of the program' \
            verdict.txt
}
ok "the text begins and ends with a verdict, such as that memory costs little" first_and_last
waits_most() {
    short halves halves.db halves.static.db && verdict >verdict.txt && cat verdict.txt &&
        grep "^_start  0x[0-9a-f]* waits for 0x[0-9a-f]* of the iteration before: 6.00 $(
            )cycles an iteration, [0-9]* % of the program's cycles$" verdict.txt &&
        grep '^  in a register: 1.00 (-83 %), -[0-9]* % of the program' verdict.txt
}
ok "the verdict says what to fix, what it costs and what it gains" waits_most
in_json() {
    short loops deps.db static.db && verdict >verdict.txt &&
        holds '.verdict' loops deps.db static.db >/dev/null &&
        jq -j .verdict out | diff verdict.txt -
}
ok "JSON has the verdict of the text" in_json
mends_nothing() {
    short --function=by_units loops static.db && verdict >verdict.txt &&
        grep -x 'No dependency through memory in these loops costs more than 1 %\.' verdict.txt &&
        grep '^by_units  loops.c:[0-9]*: [0-9.]* cycles an iteration, limited by units$' verdict.txt
}
ok "the verdict says that nothing is worth fixing" mends_nothing
at_clock() {
    short --clock=2 --function=through_memory loops static.db &&
        grep 'through_memory .* 6.00 cycles an iteration (3 ns)' out &&
        ! report --clock=0 loops static.db &&
        grep -x 'depbound: --clock=0: must be a number of gigahertz above 0, at most 100' err
}
ok "--clock tells how long an iteration takes" at_clock
with_source() {
    short --function=through_memory loops static.db &&
        has '^   cycles  < stores, > loads, \* does both$' '^  loops.c:15  *.*;$' \
            '^ *[0-9.]* >|.* of the iteration before, forwarded$' '^ *0.00 <|' &&
        ! grep -q 'chain of' out
}
ok "the chain of the loop of the verdict is shown with its source" with_source
few_lines() {
    short --function=through_memory loops deps.db static.db && [ "$(wc -l <out)" -le 25 ] &&
        short loops deps.db static.db && cp out short.txt &&
        report loops deps.db static.db && [ "$(wc -l <out)" -gt "$(wc -l <short.txt)" ]
}
ok "the report of one loop has at most 25 lines, and --verbose has more" few_lines
penalties() {
    ends 0 --cpu=znver3 --penalties && [ ! -s err ] &&
        [ "$(sed '1,3d' out | wc -l)" -eq \
            "$(jq '.forward | length' "$root/depbound/machines/znver3.json")" ] &&
        grep '^   18.00  failed     class general, relation several$' out &&
        grep '^    5.25  forwarded  class general, bits 16, self yes$' out &&
        grep -F ', bits 8 or 16 or 32 or 64, delta_k 2 or more, store_rmw yes' out
}
ok "--penalties lists each rule of the machine file with its cycles" penalties
ok "--penalties needs a machine file" \
    refuses depbound --cpu=nothing depbound --cpu=nothing --penalties

# --- Files and databases ---

any_order() {
    report --format=json loops deps.db static.db && cp out first &&
        report --format=json static.db deps.db loops && cmp first out &&
        report --format=json deps.db loops static.db && cmp first out
}
ok "depbound takes its files in any order" any_order
alone() {
    report --format=json loops static.db && cp out with &&
        report --format=json static.db && cmp with out
}
ok "a static.db alone is enough, since it names its program" alone
ok "depbound refuses to run without a file" refuses depbound usage depbound "$cpu"
ok "depbound refuses a deps.db alone" refuses depbound usage depbound "$cpu" deps.db
same_static() {
    report --format=json loops && cp out usual &&
        report --format=json --static loops && cmp usual out
}
ok "--static reports what is reported without a deps.db" same_static
ok "--static refuses a deps.db" says "depbound: --static: takes no deps.db" \
    --static loops deps.db
ok "--edges=observed needs a deps.db" says \
    "depbound: --edges=observed: no deps.db given" "$cpu" --edges=observed loops
for file in deps.db static.db; do
    ok "depbound refuses two $file" says \
        "depbound: $file: a $file is given already" "$cpu" loops $file $file
done
ok "depbound refuses two programs" \
    says "depbound: /bin/sh: a program is given already" "$cpu" loops /bin/sh
# completes WORD...: what bash completes the last of these words to
completes() {
    run bash -c '. "$1/common/completion.bash"; compopt() { :; }; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _depsim_complete "$1"
        echo "${COMPREPLY[@]}"' bash "$root" "$@"
}
ok "bash completes options" is "--min-share=" completes depbound --min
ok "bash completes names of machine files" is "znver5" completes depbound --cpu = znver5
ok "bash completes formats" is "markdown" completes depbound --format = mark
ok "a missing deps.db is no second program" says \
    "depbound: missing.db: No such file or directory" "$cpu" loops missing.db
echo "This is a text file, and a long one for what it says." >text
mkdir directory
report -o cost.db loops static.db >/dev/null
: >empty
sqlite3 foreign.db 'CREATE TABLE t(a)'
for file in missing text empty directory foreign.db cost.db; do
    ok "depbound refuses $file as a program" refuses depbound "$file" depbound "$cpu" "$file"
done
for file in foreign.db cost.db; do
    ok "depbound refuses $file as a database of dependencies" says \
        "depbound: $file: neither a depsim nor a staticdeps database" \
        "$cpu" loops $file
done
ok "the message about a missing program names its static.db" says \
    "depbound: missing: No such file or directory" "$cpu" missing static.db
rebuilt() {
    mkdir -p other &&
        "$compiler" -O1 -o other/loops "$srcdir/programs/loops.c" &&
        run staticdeps -o other/static.db other/loops
}
ok "another build of the program is analysed" rebuilt
cp other/loops unrelated
# build_id FILE: its build-id
build_id() {
    readelf -n "$1" | sed -n 's/ *Build ID: //p'
}
ok "a rebuilt program is refused with the static.db of the first, and both are named" \
    says "depbound: other/loops: not the file that was recorded: its build-id is $(
        build_id other/loops), and was $(build_id loops)" "$cpu" other/loops static.db
ok "a rebuilt program is refused with the deps.db of the first, and both are named" \
    says "depbound: other/loops: not the file that was recorded: its build-id is $(
        build_id other/loops), and was $(build_id loops)" "$cpu" other/loops deps.db
ok "a program that did not run is refused with a deps.db" says \
    "depbound: deps.db: unrelated did not run in it" "$cpu" unrelated deps.db
gone() {
    mkdir -p moved && cp loops moved/loops && run staticdeps -o moved/static.db \
        moved/loops && cp other/loops moved/loops &&
        refuses depbound moved/loops depbound "$cpu" moved/static.db &&
        rm moved/loops &&
        refuses depbound moved/loops depbound "$cpu" moved/static.db &&
        holds '.loops | length > 0' loops moved/static.db
}
ok "depbound refuses a program that changed or went away, but not a moved one" gone
nameless() {
    strip -o stripped loops && holds '.loops | length > 0 and
        all(.line == null)' stripped
}
ok "depbound finds the loops of a stripped program" nameless
arm() {
    aarch64-linux-gnu-gcc -O2 -c -o arm.o "$srcdir/programs/loops.c" &&
        run staticdeps -o arm.db arm.o
}
no_arm="there is no aarch64-linux-gnu-gcc"
ok_if "command -v aarch64-linux-gnu-gcc" "$no_arm" \
    "an object file for AArch64 is built and analysed" arm
for file in arm.o arm.db; do
    ok_if "[ -e $file ]" "$no_arm" "depbound refuses $file with a machine file of x86-64" \
        says "depbound: $cpu: an x86-64 processor, but the code is of AArch64" $file
done
full() {
    run sh -c 'depbound "$0" --llvm-mca=none loops static.db >/dev/full' \
        "$cpu" 2>err
    [ $? -eq 2 ] && grep -q '^depbound: standard output: ' err &&
        [ "$(wc -l <err)" -eq 1 ]
}
ok "depbound ends with status 2 if its report cannot be written" full
no_analyser() {
    mkdir -p bin && ln -sf "$DEPSIM_BUILD/depbound/depbound" bin/depbound &&
        status=0 && PATH=$tmp/bin depbound "$cpu" loops >out 2>err || status=$?
    cat err
    [ $status -eq 2 ] && grep -q '^depbound: staticdeps: .' err
}
ok "depbound names staticdeps if it is not installed" no_analyser

end_of_cases
