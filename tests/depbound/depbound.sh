#!/bin/sh
# depbound as a user calls it: what it takes, what it prints, and how it ends.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/assemble.sh"

cpu=--cpu=$srcdir/data/machine.json
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME

tested() {
    run depbound "$@"
}

# says TEXT ARGUMENT...: does it end with status 2 and exactly this message?
says() {
    expected_err=$1
    shift
    ends 2 "$@" && [ ! -s out ] && [ "$(cat err)" = "$expected_err" ]
}

# report OPTION...: runs depbound with costs from a file and without llvm-mca.
report() {
    ends 0 "$cpu" --llvm-mca=none --verbose "$@" >/dev/null && [ ! -s err ]
}

# holds FILTER ARGUMENT...: is this jq filter true of the JSON report?
holds() {
    filter=$1
    shift
    report --format=json "$@" || { cat err; return 1; }
    jq -e "$filter" out >/dev/null || { cat out; return 1; }
}

# --- A program with loops ---

prepare() {
    "$compiler" -g -O2 -o loops "$srcdir/programs/loops.c" &&
        run staticdeps --scope=function -o static.db loops &&
        run valgrind -q --tool=depsim --deps-file="$tmp/deps.db" ./loops &&
        [ -s deps.db ] && [ -s static.db ]
}
ok "depsim records and staticdeps predicts the dependencies of the loops" \
    prepare
n=$(sed -n 's/^#define N *//p' "$srcdir/programs/loops.c")
times=$(sed -n 's/^#define TIMES *//p' "$srcdir/programs/loops.c")

# loop FUNCTION: a jq filter for the loop of a function.
loop() {
    echo ".loops[] | select(.function == \"$1\")"
}
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
four_back() {
    "$compiler" -O2 -o kept kept.c &&
        holds '.loops[0] | .memory == 1.5 and .edges == 1' --function=kept kept
}
ok "a value stored four rounds before is found in a loop of one block" four_back
same_alone() {
    report --format=json loops static.db && cp out with &&
        report --format=json loops && cmp with out
}
ok "four rounds back give the same result with a static.db and without" \
    same_alone
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
    run valgrind -q --tool=depsim --deps-file="$tmp/h.db" ./histogram "$1" &&
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
        run valgrind -q --tool=depsim --deps-file="$tmp/halves.db" ./halves &&
        [ -s halves.db ]
}
# halves FILTER: is this jq filter true of its only loop?
halves() {
    report --format=json halves halves.db halves.static.db &&
        jq -e ".loops | length == 1 and (.[0] | $1)" out
}
ok "depsim observes loads that the store covers only in part" observe_halves
ok "a load that was observed to be partial has a failed forward" \
    halves '.memory == 21 and
    ([.failed[] | [.relation, .observed, .cycles, .rounds, .distance,
        .from.text]] == [["partial", true, 20, 1, 3, "movq %rax, (%rdi)"]]) and
    any(.chain[]; .relation == "partial" and .observed and
        .forwarding == "failed" and .distance == 3)'
says_what_fails() {
    report halves halves.db halves.static.db || return
    cat out
    grep -q "  movq (%rsi), %rax .*  failed (partial, observed)  next iteration, $(
        )distance 3\$" out &&
        grep -q "Failed forward of 20.00 cycles, from 0x.* (partial, observed)  $(
            )next iteration, distance 3\$" out
}
ok "the text report says that the forward fails" says_what_fails
says_in_markdown() {
    report --format=markdown halves halves.db halves.static.db || return
    cat out
    grep '^| .* | .movq %rax, (%rdi). .* | .movq (%rsi), %rax. ' out |
        grep -q '| 1 | 3 | failed | partial, observed | 20.00 |$'
}
ok "the Markdown report says that the forward fails" says_in_markdown
says_in_database() {
    report -o halves.cost.db halves halves.db halves.static.db || return
    sqlite3 halves.cost.db "SELECT relation, observed, cycles, rounds, distance
            FROM failed_forward;
        SELECT forwarding, relation, observed, distance FROM link
            WHERE wait = 'memory';
        SELECT count(*) FROM link
            WHERE wait <> 'memory' AND relation IS NOT NULL" >got
    printf '%s\n' 'partial|1|20.0|1|3' 'failed|partial|1|3' 0 | diff - got
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
        [ "$(sqlite3 near.cost.db "SELECT DISTINCT \"from\" || ' ' || \"to\" ||
            ' ' || distance FROM link JOIN loop USING(loop_id)
            WHERE wait = 'memory' AND observed AND function <> 'main' ORDER BY 1")" = \
            "$(cat pairs)" ]
}
ok "the distances in the report are those that depsim recorded" distances
in_words() {
    report --function=through_memory loops deps.db static.db && cat out &&
        grep -q "  next iteration, distance $(awk '{ print $3 }' pairs)\$" out
}
ok "the text report says the distances" in_words
ok "a deps.db without forwarding has its forwards predicted" \
    without_forwards '.memory == 21 and
    ([.failed[] | [.relation, .observed, .cycles]] ==
        [["partial", false, 20]])'
older_staticdeps() {
    sqlite3 halves.static.db "ALTER TABLE dep DROP COLUMN offset;
        ALTER TABLE dep DROP COLUMN relation; PRAGMA user_version = 3" &&
        halves "$1"
}
ok "a static.db without forwarding has its forwards derived from the operands" \
    older_staticdeps '.memory < 21 and
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
    '[.loops[].cycles] | . == (sort | reverse)' \
    loops deps.db static.db
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
    "$compiler" -nostdlib -static -Wl,-e,f -o gather gather.s &&
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
    ends 0 "$cpu" --llvm-mca=none --source=loop loops >/dev/null && cat err &&
        grep -q -x "depbound: --source=loop: no loop .* in such a file; try --source='\*loop\*'" err
}
ok "--source without wildcards that matches nothing is told what to try" unmatched
ok "--min-share leaves out loops that execute little" holds \
    '(.loops | length == 1) and .left_out >= 2' --min-share=20 \
    loops deps.db static.db
ok "--min-share=0 leaves out no loop" holds '.left_out == 0' --min-share=0 \
    loops deps.db static.db
ok "--top limits the number of loops" \
    holds '.loops | length == 1' --top=1 loops static.db
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
    run depbound "$cpu" --llvm-mca=none "$@" >out 2>err && cat out && [ ! -s err ]
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
ok "the verdict says what to mend, what it costs and what it gains" waits_most
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
ok "the verdict says that nothing is worth mending" mends_nothing
at_clock() {
    short --clock=2 --function=through_memory loops static.db &&
        grep 'through_memory .* 6.00 cycles an iteration (3 ns)' out &&
        ! report --clock=0 loops static.db &&
        grep -x 'depbound: --clock=0: must be a number of gigahertz above 0, at most 100' err
}
ok "--clock tells how long an iteration takes" at_clock
with_source() {
    short --function=through_memory loops static.db &&
        grep -q '^   cycles  < stores, > loads, \* does both$' out &&
        grep -q '^  loops.c:15  *.*;$' out &&
        grep -q '^ *[0-9.]* >|.* of the iteration before, forwarded$' out &&
        grep -q '^ *0.00 <|' out && ! grep -q 'chain of' out
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

# --- Formats ---

is_json() {
    report --format=json "$@" &&
        python3 "$srcdir/covcheck/json-schema.py" \
            "$root/doc/depbound.schema.json" out
}
is_json loops >/dev/null 2>&1
if [ $? -eq 77 ]; then
    skip "a JSON report matches the schema" "there is no python3-jsonschema"
else
    ok "a JSON report matches the schema" is_json loops
    ok "a JSON report with executions matches the schema" \
        is_json loops deps.db static.db
    ok "a JSON report without loops matches the schema" \
        is_json --min-share=100 loops deps.db static.db
fi
in_text() {
    report loops deps.db static.db &&
        grep -q "^4 loops with [0-9.]* % of [0-9]* executed instr\|^3 loops" \
            out &&
        grep -q "^units: only the width of the processor (no llvm-mca); machine file: made-up; edges$(
            ) through memory: observed\$" out &&
        grep -q "^ .* -  .* memory  .*  through_memory  loops.c:" out &&
        grep -q "^through_memory  loops.c:.* limited by memory" out &&
        grep -q "^  The load at loops.c:.* waits for the store at loops.c:.* of $(
            )the iteration before, through x\[\], 5.00 of [0-9.]* cycles, [0-9.]* % of all cycles; keep what is $(
            )stored to x\[i\] in a register\.\$" out
}
ok "the text report has the loops, and advice for one" in_text
one_chain() {
    report --function=through_memory loops static.db &&
        grep -q "^  chain of 6.00 cycles in 1 iteration:" out &&
        [ "$(grep -c '^ *[0-9.]*  \(register\|address\|data\|memory\) ' \
            out)" -eq 3 ]
}
ok "the text report shows the chain of a loop" one_chain
annotated() {
    report --annotate --function=through_memory loops static.db &&
        grep -q "loops.c:[0-9]* *x\[i\] = x\[i - 1\] \* 3 + 1;" out &&
        [ "$(grep -c '%r' out)" -gt 4 ]
}
ok "--annotate shows the code and its source" annotated
# advises FUNCTION PATTERN: does the advice for its loop match?
advises() {
    report --format=json loops static.db &&
        jq -r "$(loop "$1") | .advice" out >said && cat said && grep -q "$2" said
}
ok "depbound gives advice for a chain through registers" \
    advises through_registers \
    "^The [a-z]* at loops.c:[0-9]* .* iteration.*, 8.00 of 8.00 cycles; fewer or quicker $(
    )instructions than its 2 would help, or several such chains at once, if there are $(
    )others to compute\.$"
split_kernels cycles.s >/dev/null
chased() {
    "$compiler" -nostdlib -static -Wl,-e,f -o chase split/chase.s &&
        holds '.loops[0].advice | test("^The load at .* needs its address from" +
            " the iteration before, [0-9.]+ of [0-9.]+ cycles; ")' chase
}
ok "depbound gives advice for a loop that follows a list" chased
failed() {
    "$compiler" -nostdlib -static -Wl,-e,f -o failed split/failed.s &&
        holds '.loops[0].advice | test("no single store has")' failed
}
ok "depbound gives advice for a forward that fails" failed
# No store waits for the load.  They leave the buffer one after the other.
cat >widened.s <<'END'
        .globl  f
        .type   f, @function
f:      movq    (%rdi), %rax
        movl    %esi, (%rdi)
        movl    %esi, 4(%rdi)
        decq    %rdx
        jne     f
        ret
        .size   f, . - f
END
widened() {
    "$compiler" -nostdlib -static -Wl,-e,f -o widened widened.s &&
        holds '.loops[0].limited_by == "memory"' widened &&
        store=$(printf '%#x' "$(jq '.loops[0].failed[1].from.address' out)") &&
        jq -r '.loops[0].advice' out |
        grep "waits for the store at $store of the iteration before, 21.00 of 21.00 cycles"
}
ok "advice for a failed forward names the store, though the chain has none" \
    widened
# Zen 5 adds in 3 cycles after a load, and in 2 after an addition.
cat >summed.s <<'END'
        .globl  f
        .type   f, @function
f:      movsd   (%rdi), %xmm0
        addsd   %xmm1, %xmm0
        movsd   %xmm0, (%rdi)
        decl    %ecx
        jne     f
        ret
        .size   f, . - f
END
left_by_the_fix() {
    "$compiler" -nostdlib -static -Wl,-e,f -o summed summed.s &&
        ends 0 --cpu=znver5 --llvm-mca=none --format=json summed >out &&
        jq -c '.loops[0] | .predicted, .mended' out >figures &&
        cat figures && printf '12\n2\n' | cmp figures -
}
ok "with its value in a register, an addition follows the one before" \
    left_by_the_fix
drawn() {
    report --dot loops static.db && cp out dotted &&
        report --format=dot loops static.db && cmp out dotted && cat out &&
        head -n 1 out | grep -q '^digraph depbound {$' &&
        [ "$(tail -n 1 out)" = "}" ] &&
        grep -q 'memory 5.00\\nforwarded\\nnext iteration\\ndist.*color=red' out &&
        grep -q 'label="through_memory: 6.00 cycles' out &&
        awk '/^    n[0-9_]+ \[/ { node[$1] }
            / -> / { n++; if (!($1 in node) || !($3 in node)) exit 1 }
            END { if (n < 4) exit 1 }' out
}
ok "--dot draws loops whose links are between their instructions" drawn
if command -v dot >/dev/null; then
    ok "Graphviz accepts what --dot prints" \
        sh -c 'dot -Tsvg dotted | grep -q "<svg"'
else
    skip "Graphviz accepts what --dot prints" "there is no dot(1)"
fi
# on_terminal COMMAND...: what it prints to a terminal.
on_terminal() {
    TERM=xterm run script -qec "$*" /dev/null </dev/null >out 2>err
    cat out
    grep -q 'limited by' out
}
escapes() { grep -c "$(printf '\033')" out; }
colours() {
    on_terminal "$1 depbound '$cpu' --llvm-mca=none loops static.db" &&
        test "$(escapes)" "$2" 0
}
# widest: the longest line that a terminal was given, without colours.
widest() {
    tr -d '\r' <out | sed "s/$(printf '\033')\[[0-9;]*m//g" >shown
    awk '{ if (length($0) > n) n = length($0) } END { print n }' shown
}
# fits COLUMNS ARGUMENT...: is no line longer than a terminal of this width?
fits() {
    width=$1
    shift
    on_terminal "stty cols $width; unset COLUMNS; depbound '$cpu' \
        --llvm-mca=none --verbose $*" && [ "$(widest)" -le "$width" ]
}
words() { tr -s ' \n' '\n\n' <"$1"; }
# same_words: on a terminal short names are not cut, and no word is left out.
same_words() {
    fits 100 loops deps.db static.db && words shown >in_terminal &&
        ! grep -q '\.\.\.' shown && report loops deps.db static.db &&
        [ "$(awk 'length($0) > 100' out | wc -l)" -ge 2 ] &&
        words out | diff - in_terminal
}
columns_first() {
    on_terminal "stty cols 200; COLUMNS=80 depbound '$cpu' --llvm-mca=none \
        loops deps.db static.db" && [ "$(widest)" -le 80 ]
}
long_names() {
    long=$(printf 'name_%030d' 7 8 9)
    sed "s/\<f\>/$long/g" split/prefix.s >long.s &&
        "$compiler" -g -nostdlib -static -Wl,-e,"$long" -o long long.s &&
        on_terminal "stty cols 80; unset COLUMNS; depbound '$cpu' \
            --llvm-mca=none long" && widest >/dev/null &&
        grep '^ .* memory .*name_00*\.\.\.  long\.s:[0-9]*$' shown >row &&
        [ "$(tr -d '\n' <row | wc -c)" -le 80 ] && grep "^$long" shown
}
whole() {
    report long && cp out piped && ! grep -q '\.\.\.' piped &&
        [ "$(grep -c "$long  long.s:" piped)" -eq 3 ] &&
        COLUMNS=40 run depbound "$cpu" --llvm-mca=none --verbose long >out &&
        cmp out piped
}
paged() {
    on_terminal "PAGER='sed s/^/paged:/' depbound '$cpu' --llvm-mca=none loops static.db" &&
        ! grep -v '^paged:' out &&
        run env PAGER='sed s/^/paged:/' depbound "$cpu" --llvm-mca=none loops static.db >out &&
        ! grep '^paged:' out
}
quits() {
    on_terminal "PAGER='head -n 1' depbound '$cpu' --llvm-mca=none --verbose loops static.db; \
        echo limited by, status \$?" && grep 'status 0' out && ! grep 'roken pipe' out
}
not_there() {
    on_terminal "PAGER=/no-such-pager depbound '$cpu' --llvm-mca=none loops static.db; \
        echo limited by, status \$?" && grep 'status 2' out &&
        grep "depbound: PAGER: '/no-such-pager' cannot be run" out
}
# --help says what it has in one line of 200 columns, and in two of 80.
help_fits() {
    for columns in 80 200; do
        TERM=xterm run script -qec "stty cols $columns; unset COLUMNS; depbound --help" \
            /dev/null </dev/null >out && [ "$(widest)" -le "$columns" ] &&
            tr -s ' \n' '\n\n' <shown >"words.$columns" && mv shown "help.$columns" || return
    done
    diff words.80 words.200 && [ "$(wc -l <help.80)" -gt "$(wc -l <help.200)" ]
}
if has_terminals; then
    ok "--help fits its terminal, and loses no word" help_fits
    ok "text on a terminal goes through a pager" paged
    ok "a pager that cannot be run is an error, since nothing was shown" not_there
    ok "a pager that ends early has seen enough" quits
    ok "text on a terminal has colours" colours "" -gt
    ok "NO_COLOR turns colours off" colours NO_COLOR=1 -eq
    ok "text on a dumb terminal has no colours" colours TERM=dumb -eq
    ok "lines of the text report fit 80 columns" fits 80 loops deps.db static.db
    ok "lines of the text report with code fit 72 columns" \
        fits 72 --annotate loops deps.db static.db
    ok "a report of 100 columns has the words of one that is not folded" \
        same_words
    ok "COLUMNS overrides the width of the terminal" columns_first
    ok "long names are shortened in the table, and whole below" long_names
    ok "text in a file shortens no name, whatever COLUMNS is" whole
else
    skip "text on a terminal has colours and fits its width" \
        "there is no script(1), or no pty for it"
fi
in_markdown() {
    report --format=markdown loops deps.db static.db && sed '/^$/,$d' out >page &&
        sed '1,/^$/d' out | grep '^|' | awk -F'|' 'NF != 11 { exit 1 }' &&
        grep -q '^Share: of at least [0-9.e+]* predicted cycles, without [0-9.]* % of the instructions, which are not modelled\.$' out &&
        grep -q '| 1 | [0-9]* | forwarded | same, observed |' out &&
        report --format=json loops deps.db static.db &&
        [ $(($(jq '.loops | length' out) + 2)) -eq "$(wc -l <page)" ] &&
        head -n 2 page | tail -n 1 | grep -q '^|[-:|]*|$' &&
        tail -n +3 page | awk -F'|' 'NF != 9 { exit 1 }' &&
        grep -q "^| .through_memory. loops.c:[0-9]* | - |.*| memory |" page
}
ok "Markdown has a row for each loop, and no units without llvm-mca" in_markdown

# The page has a row for each loop of JSON, with a listing of its instructions.
cat >page.py <<'END'
import html.parser, json, sys


class Page(html.parser.HTMLParser):
    """Rows of cells of each table, without those of source lines, and tables of these."""

    def __init__(self):
        super().__init__()
        self.tables, self.cell, self.is_source = [], False, False

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
            self.has_lines = ("class", "lines") in attributes
        elif tag == "tr":
            self.is_source = ("class", "source") in attributes or self.has_lines
            if not self.is_source:
                self.tables[-1].append([])
        elif tag == "td" and not self.is_source:
            self.tables[-1][-1].append("")
        self.cell = not self.is_source and (
            tag == "td" or self.cell and tag in ("a", "b", "code"))

    def handle_endtag(self, tag):
        self.cell = self.cell and tag not in ("tr", "table")
        if tag == "table" and self.has_lines:
            self.tables.pop()

    def handle_data(self, text):
        if self.cell and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += text


page = Page()
page.feed(open(sys.argv[1]).read())
loops = json.load(open(sys.argv[2]))["loops"]
rows = page.tables[0][1:]
assert len(rows) == len(loops) > 0, (len(rows), len(loops))
for row, loop, listing in zip(rows, loops, page.tables[1:]):
    assert loop["function"] in row[0], row
    assert row[2:5] == ["%.2f" % loop["registers"], "%.2f" % loop["memory"],
                        loop["limited_by"]], (row, loop)
    assert len(listing) == loop["instructions"], (listing, loop)
    assert any(cells[-3] for cells in listing) or not loop["chain"], listing
END
in_html() {
    report --format=html loops deps.db static.db && mv out page.html &&
        report --format=json loops deps.db static.db &&
        python3 page.py page.html out &&
        grep -c 'waits for the store of the iteration before, [0-9]* instructions before' \
            page.html
}
if command -v python3 >/dev/null; then
    ok "the page has the loops of JSON, each with its listing" in_html
else
    skip "the page has the loops of JSON, each with its listing" "no python3"
fi
html_escapes() {
    printf '%s\n' '# LLVM-MCA-BEGIN <b>"&x' .L0: 'addq -8(%rdi), %rax' \
        'movq %rax, (%rdi)' 'addq $8, %rdi' 'jne .L0' '# LLVM-MCA-END' >tags.s
    report --format=html tags.s && grep '^<h2.*&lt;b&gt;&quot;&amp;x' out &&
        ! grep '<b>"' out
}
ok "names in the page are escaped" html_escapes

# --- The database ---

to_database() {
    report -o cost.db --top=1000 --format=json --min-share=0 \
        loops deps.db static.db &&
        jq -r '.loops[] | "\(.address) \(.function) \(.rounds)"' out |
        sort >want &&
        sqlite3 -separator ' ' cost.db "SELECT start, function, rounds
            FROM loop" | sort >got && [ -s want ] && diff want got &&
        [ "$(sqlite3 cost.db 'PRAGMA integrity_check')" = ok ]
}
ok "-o writes the loops of the report" to_database
again() {
    report -o cost.db loops static.db && report -o cost.db loops static.db &&
        [ "$(sqlite3 cost.db "SELECT count(*) FROM loop WHERE
            function = 'through_memory'")" -eq 1 ]
}
ok "-o replaces a cost.db that it wrote before" again
ok "-o refuses the name of a page, since it writes a database" \
    last_says 'report.html: it writes a database' run depbound "$cpu" -o report.html loops
for file in loops deps.db static.db; do
    cp $file before
    ok "depbound refuses -o $file" refuses depbound $file depbound "$cpu" \
        --llvm-mca=none -o $file loops deps.db static.db
    ok "-o $file leaves the file as it is" cmp before $file
done

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
ok "depbound refuses to run without a file" \
    refuses depbound usage depbound "$cpu"
ok "depbound refuses a deps.db alone" \
    refuses depbound usage depbound "$cpu" deps.db
same_static() {
    report --format=json loops && cp out usual &&
        report --format=json --static loops && cmp usual out
}
ok "--static reports what is reported without a deps.db" same_static
ok "--static refuses a deps.db" \
    says "depbound: --static: takes no deps.db" "$cpu" \
    --static loops deps.db
ok "--edges=observed needs a deps.db" says \
    "depbound: --edges=observed: no deps.db given" "$cpu" --edges=observed loops
for file in deps.db static.db; do
    ok "depbound refuses two $file" says \
        "depbound: $file: a $file is given already" "$cpu" loops $file $file
done
ok "depbound refuses two programs" \
    says "depbound: /bin/sh: a program is given already" \
    "$cpu" loops /bin/sh
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
: >empty
sqlite3 foreign.db 'CREATE TABLE t(a)'
for file in missing text empty directory foreign.db cost.db; do
    ok "depbound refuses $file as a program" \
        refuses depbound "$file" depbound "$cpu" "$file"
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
ok "depbound refuses a program that changed or went away, but not a moved one" \
    gone
nameless() {
    strip -o stripped loops && holds '.loops | length > 0 and
        all(.line == null)' stripped
}
ok "depbound finds the loops of a stripped program" nameless
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    arm() {
        aarch64-linux-gnu-gcc -O2 -c -o arm.o "$srcdir/programs/loops.c" &&
            run staticdeps -o arm.db arm.o
    }
    ok "an object file for AArch64 is built and analysed" arm
    for file in arm.o arm.db; do
        ok "depbound refuses $file with a machine file of x86-64" \
            says "depbound: $cpu: an x86-64 processor, but the code is of AArch64" \
            "$cpu" $file
    done
else
    skip "depbound refuses code for AArch64" "there is no aarch64-linux-gnu-gcc"
fi
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

# --- Machine files ---

ok "depbound refuses a processor without a machine file" \
    says "depbound: --cpu=nowhere: no such machine file; --cpu=help lists them" \
    --cpu=nowhere loops
ok "depbound refuses a machine file that does not exist" says \
    "depbound: ./nowhere.json: No such file or directory" \
    --cpu=./nowhere.json loops
echo '{"name": 1}' >wrong.json
ok "depbound refuses a machine file that is not valid" \
    refuses depbound wrong.json depbound \
    --cpu=./wrong.json loops
each_machine() {
    for file in "$root"/depbound/machines/*.json; do
        name=$(basename "$file" .json)
        [ "$(jq -r .arch "$file")" = aarch64 ] && continue # depbound/aarch64.sh
        ends 0 --cpu="$name" --llvm-mca=none --format=json loops static.db \
            >/dev/null && [ "$(jq -r .machine out)" = "$name" ] || return 1
    done
}
ok "each machine file that ships is found by its name" each_machine
relative() {
    mkdir -p strange &&
        jq '.match = [{vendor: "Nobody", family: 1, models: 1}] | .name = "typical"' \
            "$root/depbound/machines/znver4.json" >strange/typical.json
    for format in text markdown html; do
        DEPBOUND_MACHINES=$tmp/strange "$DEPSIM_BUILD/depbound/depbound" \
            --llvm-mca=none --format=$format static.db >out 2>err || return 1
        grep "No machine file for this processor (.* family .* model .*): the figures \
are typical ones, of no processor\." out || { cat out; return 1; }
    done
    DEPBOUND_MACHINES=$tmp/strange "$DEPSIM_BUILD/depbound/depbound" -o cost.db \
        --llvm-mca=none --format=json static.db >out 2>err &&
        jq -e '.machine == "typical" and (.stands_for | contains(" family "))' out &&
        [ "$(sqlite3 cost.db "SELECT value FROM analysis WHERE key = 'stands_for'")" = \
            "$(jq -r .stands_for out)" ]
}
ok "each format says that figures are not of this processor" relative
lists_machines() {
    DEPBOUND_MACHINES=$tmp/strange ends 0 --cpu=help >/dev/null
    cat out
    [ "$(ls "$root/depbound/machines" | wc -l)" -eq "$(run depbound --cpu=help | wc -l)" ] &&
        run depbound --cpu=help | grep '^znver4 *.*Measured'
}
ok "--cpu=help lists all machine files with their sources" lists_machines
no_machine() {
    mkdir -p nothing &&
        DEPBOUND_MACHINES=$tmp/nothing "$DEPSIM_BUILD/depbound/depbound" \
            --llvm-mca=none --format=json static.db >out 2>err
    cat out err
    [ "$(wc -l <err)" -eq 1 ] && grep -q "no machine file in $tmp/nothing" err &&
        jq -e '.machine == null and (.loops | length > 0)' out
}
ok "depbound warns if no machine file is of this processor" no_machine
guesses() {
    DEPBOUND_MACHINES=$tmp/nothing "$DEPSIM_BUILD/depbound/depbound" \
        --llvm-mca=none "$@" static.db >out 2>/dev/null
    cat out
    grep -q "Guessed: the latenc.* of [0-9]* instructions*\." out
}
ok "without a machine file the text says how many latencies are guessed" \
    guesses
ok "without a machine file the page says how many latencies are guessed" \
    guesses --format=html
knows() {
    ends 0 --cpu=znver4 --llvm-mca=none static.db >/dev/null
    ! grep Guessed out
}
ok "with a machine file no latency is called guessed" knows
ok "--calibrate takes no files" \
    says "depbound: loops: --calibrate takes no files" \
    --calibrate loops
ok "--force is for --calibrate only" \
    says "depbound: --force: only with --calibrate" --force loops
ok "--calibrate refuses an unwritable file before it measures" \
    refuses depbound \
    directory/none/x depbound --calibrate=directory/none/x

# --- Runs of a loop ---

# rows() adds up to another cell in each run of the inner loop, so that runs overlap;
# cell() has one chain through all runs.
cat >runs.c <<'END'
static volatile int m = 4;
static int a[200], b[4];
__attribute__((noinline)) static void rows(int *x, int *y, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n / 50; k++)
            x[i] += y[k];
}
__attribute__((noinline)) static void cell(int *x, int *y, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n / 50; k++)
            *x += y[k];
}
int main(void)
{
    rows(a, b, 50 * m);
    cell(a, b, 50 * m);
    return 0;
}
END
short_runs() {
    "$compiler" -O1 -g -o runs runs.c &&
        run valgrind -q --tool=depsim --objects=main --deps-file=runs.db ./runs &&
        ends 0 "$cpu" --llvm-mca=none --min-share=0 --format=json runs.db runs &&
        jq -c '.loops[] | [.function, .limited_by, .predicted]' out &&
        jq -e '[.loops[] | {(.function): .predicted}] | add | .rows < 0.8 * .cell' out
}
ok "chains through memory end with each run, if their vectors say so" short_runs

# Four stores to four cache lines, and a counter.  The machine file has the cost of
# stores.
by_units() {
    ends 0 --cpu=znver4 --llvm-mca=none \
        --hex=89078947408987800000008987c0000000ffc975eb &&
        grep -q "^--hex  0: 4.00 cycles an iteration, limited by units\$" out &&
        grep -q "^  No chain limits it: its [0-9]* instructions need 4.00 cycles" out
}
ok "without llvm-mca a machine file can say that units limit a loop" \
    by_units

# --- llvm-mca ---

# fake NAME MCA MC: makes NAME/llvm-mca-x and NAME/llvm-mc-x of these shell scripts.
fake() {
    mkdir -p "$1"
    { printf '#!/bin/sh\ncase $* in *--version*)
        echo "  LLVM version 19.9.9"; exit ;; esac\n'
        echo "echo run >>'$tmp/$1/runs'"
        echo "$2"; } >"$1/llvm-mca-x"
    { echo '#!/bin/sh'; echo "$3"; } >"$1/llvm-mc-x"
    chmod +x "$1"/llvm-m*
}
# A disassembler: the marker after each instruction comes back as an instruction.
cat >mc.awk <<'END'
BEGIN { print ".text" }
/^.0x0f 0x1f 0x84 0x00 0x12/ { print "\tnopl\t2018915346(%rax,%rax)"; next }
{ print "\tnop" }
END
mc="awk -f '$tmp/mc.awk'"
# regions JSON: a script that answers with this JSON for each region.
regions() {
    cat <<END
awk 'BEGIN { printf "{\"CodeRegions\": [" } /MCA-BEGIN/ { printf "%s%s", sep, "$1"; sep = "," } END { print "]}" }'
END
}
good=$(regions '{\"SummaryView\": {\"DispatchWidth\": 6}}')
fake good "$good" "$mc"
units() {
    ends 0 "$cpu" --llvm-mca=good/llvm-mca-x --format=json loops static.db &&
        jq -e '.llvm_mca == "llvm-mca 19.9.9, sapphirerapids" and
            all(.loops[]; .units > 0)' out
}
ok "the report has units by llvm-mca, and its version" units
in_mca() {
    mkdir -p mca && cp good/llvm-m* mca &&
        ends 0 "$cpu" --llvm-mca=mca/llvm-mca-x --format=json loops static.db &&
        jq -e '.llvm_mca == "llvm-mca 19.9.9, sapphirerapids"' out
}
ok "the folder of llvm-mca may be called mca" in_mca
# The made-up llvm-mca knows no instruction.
ok "units get no advice where instructions are not known" sh -c 'jq -e "any(.loops[];
    .function == \"by_units\" and .limited_by == \"units\" and .at_least and
    .advice == null)" out'
# sums FILTER: is this jq filter true of a report with all loops?
sums() {
    ends 0 "$cpu" --llvm-mca=none --min-share=0 --format=json \
        loops deps.db static.db >/dev/null && jq -e "$1" out || { cat out; false; }
}
ok "the share of a loop is one of the cycles predicted for the program" \
    sums '.program.cycles as $all | .program.by == "executions" and
    (.loops | map(.cycles == .rounds * .predicted and
        (.cycles_share - 100 * .cycles / $all | fabs) < 1e-6) | all)'
ok "code outside of loops takes its instructions through the dispatch" \
    sums '.loops as $loops | .program |
    (.cycles - ($loops | map(.cycles) | add)) as $rest |
    (.instructions - .unmodelled - ($loops | map(.rounds * .instructions) | add)) as $n |
    $n > 100 and ($rest - $n / 1000 | fabs) < 1e-6'
ok "the loop with the largest share of predicted cycles comes first" \
    sums '[.loops[].cycles_share] |
    length > 3 and add > 1 and add <= 100 and . == (sort | reverse)'
ok "with --function loops have no share of cycles" holds \
    'all(.loops[]; has("cycles_share") and .cycles_share == null and
        .share > 0)' --function=through_memory loops deps.db static.db
in_formats() {
    sums . && cp out sums.json &&
        share=$(jq -r '.loops[0].cycles_share * 10 | round / 10' sums.json) &&
        of=$(jq -r '.program | 100 * .unmodelled / .instructions * 10 | round / 10' \
            sums.json) && echo "$share" "$of" &&
        for format in text markdown html dot; do
            ends 0 "$cpu" --llvm-mca=none --min-share=0 \
                --format=$format loops deps.db static.db &&
                grep "[ >]$share\\(\\.0\\)\\? \\?%" out || return
            [ $format = dot ] ||
                grep -i "share: of at least [0-9.e+]* predicted cycles, without $of$(
                    )\\(\\.0\\)\\? % of the instructions" out || return
        done
}
ok "each format says the share of a loop in the predicted cycles" in_formats
apart() {
    report --function=through_memory loops deps.db static.db &&
        grep '^share: of the executed instructions$' out &&
        report loops static.db && ! grep '^share' out
}
ok "with --function the text says that shares are of instructions" apart
ok "values in registers never raise the cycles of a function" sums '.program |
    any(.functions[]; .mended < .cycles) and
    all(., .functions[]; .mended > 0 and .mended <= .cycles and .low == null)'
ok "the program has the instructions and cycles of its functions" sums '.program |
    (.cycles - ([.functions[].cycles] | add) | fabs) < 1e-6 and
    (.functions | map(.cycles) | . == (sort | reverse))'
table_of_functions() {
    report loops deps.db static.db &&
        awk '/^ *share +cycles +cycles +costs/ { inside = 1; next } !NF { inside = 0 }
            inside { n++; if (n == 1) whole = $1; else { sum += $1; if (n > 2 && $1 + 0 > last) bad = 1; last = $1 + 0 } }
            END { print whole, sum, n; exit bad || n < 3 || whole != "100.0%" || sum < 99 || sum > 100.5 }' out
}
ok "the table of functions begins with the program, and the most costly is next" \
    table_of_functions
kept() {
    wc -l <good/runs >before && units && wc -l <good/runs | cmp - before
}
again() { wc -l <good/runs >before && units && ! wc -l <good/runs | cmp - before; }
ok "the answer of llvm-mca is kept in the cache" kept
impossible_cache() {
    sqlite3 cache/depbound/llvm-mca.db \
        "UPDATE answer SET value = '$1' || substr(value || ' ', instr(value || ' ', ' '))" &&
        again
}
for figure in -5 nan inf 1e308; do
    ok "llvm-mca is asked again if the cache has the figure $figure" \
        impossible_cache $figure
done
damaged_cache() {
    find cache -type f >files && [ -s files ] &&
        while read -r file; do echo "no database" >"$file"; done <files && again
}
ok "llvm-mca is asked again if its kept answer is damaged" damaged_cache
no_cache() { XDG_CACHE_HOME=/dev/null/x HOME=/dev/null/x again; }
ok "llvm-mca is asked again if its answer cannot be kept" no_cache
XDG_CACHE_HOME=/dev/null/none
HOME=/dev/null/none
export HOME

ok "depbound refuses an llvm-mca that is not there" \
    refuses depbound /nonexistent \
    depbound "$cpu" --llvm-mca=/nonexistent loops static.db
mkdir -p old
printf '#!/bin/sh\necho "  LLVM version 18.1.8"\n' >old/llvm-mca
printf '#!/bin/sh\necho "version nineteen"\n' >old/llvm-mca-2
chmod +x old/*
for program in old/llvm-mca old/llvm-mca-2 /bin/true /bin/false loops; do
    ok "depbound refuses $program as llvm-mca" refuses depbound "$program" \
        depbound "$cpu" --llvm-mca=$program loops static.db
done
while IFS='|' read -r name mca mc_script <&3; do
    fake "$name" "$mca" "$mc_script"
    ok "depbound names an llvm-mca that $name" refuses depbound llvm-mc \
        depbound "$cpu" --llvm-mca="$name"/llvm-mca-x loops static.db
done 3<<END
prints-rubbish|echo rubbish|$mc
prints-nothing|:|$mc
prints-another-list|echo '{"CodeRegions": []}'|$mc
prints-no-figures|$(regions '{}')|$mc
prints-no-numbers|$(regions '{\"SummaryView\": {\"DispatchWidth\": \"6\"}}')|$mc
prints-negative-figures|$(regions '{\"SummaryView\": {\"DispatchWidth\": -6}}')|$mc
prints-no-objects|$(regions '7')|$mc
fails|echo cannot do it >\&2; exit 1|$mc
fails-silently|exit 1|$mc
dies|kill -9 \$\$|$mc
has-no-disassembler|$good|exit 1
has-a-disassembler-of-rubbish|$good|echo rubbish
has-a-disassembler-that-dies|$good|kill -9 \$\$
END
none_found() {
    mkdir -p plain && for name in staticdeps sh; do
        ln -sf "$(run sh -c "command -v $name")" plain/$name
    done
    PATH=$tmp/plain DEPBOUND_MACHINES=$root/depbound/machines \
        "$DEPSIM_BUILD/depbound/depbound" "$cpu" --format=json loops >out 2>err
    cat out err
    [ "$(wc -l <err)" -eq 1 ] && grep -q '^depbound: llvm-mca 19 or newer: .*llvm-19' err &&
        jq -e '.llvm_mca == null and all(.loops[]; .units == null)' out
}
ok "without llvm-mca depbound warns, and still finds chains" none_found

# The real llvm-mca, if it is installed.
ends 0 --cpu=sapphirerapids --format=json --function=by_units loops static.db \
    >/dev/null 2>&1
real=$(jq -r '.llvm_mca // empty' out 2>/dev/null |
    sed -n 's/^llvm-mca \([0-9]*\).*/\1/p')
command -v "llvm-mca-$real" >/dev/null && mca=llvm-mca-$real || mca=llvm-mca
as_it_says() {
    jq -r '.loops[0] | "\(.address) \(.instructions) \(.units)"' out >by_units
    read -r start count units <by_units
    objdump -d --no-show-raw-insn --start-address="$start" loops |
        sed -n 's/^ *[0-9a-f]*:[[:space:]]*//p' | sed 's/<.*//' |
        head -n "$count" >code.s
    [ "$(wc -l <code.s)" -eq "$count" ] &&
        "$mca" -mtriple=x86_64 -mcpu=sapphirerapids code.s >said || return
    said=$(sed -n 's/^Block RThroughput: *//p' said)
    echo "units $units; $mca $said"
    # llvm-mca rounds to tenths.
    awk -v a="$units" -v b="$said" \
        'BEGIN { exit !(b > 1 && a - b < 0.06 && b - a < 0.06) }'
}
if [ -n "$real" ]; then
    ok "units are the Block RThroughput of llvm-mca itself" as_it_says
else
    skip "units are the Block RThroughput of llvm-mca itself" \
        "there is no llvm-mca of version 19 or newer"
fi

# --- Damage ---

# refuses_changed DATABASE SQL WHAT: is the changed database refused for WHAT?
refuses_changed() {
    cp deps.db whole-deps.db && cp static.db whole-static.db &&
        sqlite3 "$1" "$2" &&
        refuses depbound "$1" depbound "$cpu" --llvm-mca=none loops \
            deps.db static.db && grep -q ": .*: .*$3" .err
    status=$?
    mv whole-deps.db deps.db
    mv whole-static.db static.db
    return $status
}
while IFS='|' read -r database sql what <&3; do
    ok "depbound refuses a damaged $database: $what" \
        refuses_changed "$database" "$sql" "$what"
done 3<<'END'
deps.db|DROP TABLE segment|no such table
deps.db|PRAGMA user_version = 99|version 99
static.db|PRAGMA user_version = 99|version 99
static.db|ALTER TABLE dep DROP COLUMN support|no such column
static.db|UPDATE block SET object_id = 99|block without an* object
static.db|DELETE FROM object|block without an* object
static.db|UPDATE dep SET src_block = 9999|pair without a block
static.db|PRAGMA ignore_check_constraints = 1; UPDATE dep SET support = 2|a share is not from 0 to 1
static.db|UPDATE block SET instructions = 4294967297|more instructions than bytes
deps.db|UPDATE segment SET executions = -1|negative
deps.db|UPDATE segment SET executions = -9223372036854775807 - 1|negative
deps.db|UPDATE segment SET executions = 9223372036854775807|64 bits
END
while IFS='|' read -r what sql <&3; do
    beyond() {
        cp static.db beyond.db && sqlite3 beyond.db "$sql" &&
            refuses depbound loops depbound "$cpu" --llvm-mca=none beyond.db &&
            grep -q "no code at" .err
    }
    ok "depbound refuses blocks that $what" beyond
done 3<<'END'
end beyond the code|UPDATE block SET "end" = "end" + 1000000000
lie beyond the code|UPDATE block SET start = start + 1000000000, "end" = "end" + 1000000000
END

far_away() {
    cp static.db far.db && sqlite3 far.db "UPDATE dep SET delta_k = 4294967297
        WHERE delta_k IS NOT NULL" && holds "$(loop through_memory) |
            .edges == 0 and .unfixed >= 1" loops far.db
}
ok "depbound drops a dependency over more rounds than it counts" far_away

few() {
    cp deps.db few.db && sqlite3 few.db "UPDATE run SET recorded = 1, instructions = 1" &&
        ends 0 "$cpu" --llvm-mca=good/llvm-mca-x --format=json loops few.db \
            static.db && jq -e '.program | .unmodelled <= .instructions and
            .instructions >= ([.functions[].instructions] | add)' out
}
ok "a program executed no fewer instructions than its functions" few

overlap() {
    cp static.db overlap.db && sqlite3 overlap.db "INSERT INTO block
        SELECT block_id + 1000, object_id, function_id, start + 1, start + 2, 1,
            'ok', 0, 0 FROM block" &&
        holds "$(loop through_memory) | .edges >= 1" loops overlap.db &&
        report loops deps.db overlap.db
}
ok "a static.db whose blocks overlap has a report" overlap

# in_order FILE: does it end with a report, or with one line?
in_order() {
    status=0
    run depbound "$cpu" --llvm-mca=none --format=json loops deps.db static.db \
        >out 2>err || status=$?
    case $status in
    0) jq -e . out >/dev/null ;;
    2) [ "$(wc -l <err)" -eq 1 ] ;;
    *) false ;;
    esac || { echo "status $status"; cat err; return 1; }
}
cut_off() {
    cp "$1" whole
    size=$(wc -c <whole)
    for part in 1 2 3 4 5 6 7 8; do
        head -c $((size * part / 10)) whole >"$1"
        in_order || { cp whole "$1"; return 1; }
        [ $status -eq 2 ] || { echo "part $part was taken"; return 1; }
    done
    cp whole "$1"
}
ok "depbound does not crash on a deps.db that is cut at any place" \
    cut_off deps.db
ok "depbound does not crash on a static.db that is cut at any place" \
    cut_off static.db
overwritten() {
    cp "$1" whole
    size=$(wc -c <whole)
    at=$2
    step=$((size / 25))
    n_refused=0
    while [ "$at" -lt "$size" ]; do
        cp whole "$1"
        printf '\377\377\377\377\377\377\377' |
            dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
        in_order || { echo "byte $at"; cp whole "$1"; return 1; }
        n_refused=$((n_refused + (status == 2)))
        at=$((at + step))
    done
    cp whole "$1"
    [ $n_refused -gt 0 ]
}
ok "depbound does not crash on a deps.db with wrong bytes" overwritten deps.db 3
ok "depbound does not crash on a static.db with wrong bytes" \
    overwritten static.db 3

end_of_cases
