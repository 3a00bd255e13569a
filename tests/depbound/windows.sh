#!/bin/sh
# What depbound makes of the windows that depsim recorded.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# chain: each round loads what the iteration before stored.  failed: each round stores
# half of what it loads in the next.  caller: each round calls.
cat >windows.s <<'END'
        .bss
        .balign 64
cell:   .skip   64
        .text
        .globl  _start
chain:  movl    $20000, %ecx
1:      movq    (%rsi), %rax
        imulq   $3, %rax, %rax
        movq    %rax, (%rsi)
        decl    %ecx
        jne     1b
        ret
        .size   chain, . - chain
        .type   chain, @function
failed: movl    $20000, %ecx
2:      movq    8(%rsi), %rax
        movl    %eax, 8(%rsi)
        decl    %ecx
        jne     2b
        ret
        .size   failed, . - failed
        .type   failed, @function
_start: leaq    cell(%rip), %rsi
        call    chain
        call    failed
        call    caller
        movl    $60, %eax
        xorl    %edi, %edi
        syscall
unused: ret
        .size   unused, . - unused
        .type   unused, @function
caller: movl    $5000, %ecx
3:      call    nothing
        decl    %ecx
        jne     3b
        ret
        .size   caller, . - caller
        .type   caller, @function
nothing: ret
        .size   nothing, . - nothing
        .type   nothing, @function
END
prepare() {
    "$compiler" -g -nostdlib -static -Wl,-e,_start -o windows windows.s &&
        records deps.db --windows=20:1000 ./windows &&
        records one.db --windows=1:1000 ./windows
}
ok "a program is recorded with windows" prepare
all=' cycles, if all data are in the first cache'
has_section() {
    report windows deps.db && has 'windows of what ran' "$all"
}
ok "the report has the windows, and what their cycles suppose" has_section
for format in text html markdown; do
    few() {
        tells ' cycles an instruction, .* from 1 sample .*: too few' --format=$format \
            windows one.db && ! grep -q "$all" out
    }
    ok "one window says nothing about the whole program in $format" few
done
few_data() {
    holds '.windows.cycles > 0 and (.program | .by == "windows" and .cycles == null and
            .low == null and .high == null and .share == 100 and
            .functions[0].cycles == null and .functions[0].share > 0)' \
        -o few.db windows one.db && cp out few.json &&
        has_rows few.db "SELECT count(cycles) + count(low) + count(high) FROM program;
            SELECT count(cycles), sum(share > 0) > 0 FROM program_functions" "$(printf '0\n0|1')"
}
ok "JSON and cost.db have no cycles of the program by one window" few_data
few_compared() {
    report --baseline=few.json windows deps.db && ! grep '^The program: ' out &&
        report --format=json windows deps.db && cp out many.json &&
        tells '^The program: .* which may be chance)' --baseline=many.json windows deps.db
}
ok "a baseline with one window says nothing about the program" few_compared
for deps in deps.db one.db; do
    ok_if "$has_schemas" "$no_schemas" "JSON with the windows of $deps matches the schema" \
        of_schema windows $deps
done

# figures EXPRESSION: does it hold for the windows w, the program p, and the loop l(NAME)?
figures() {
    report --format=json windows deps.db && python3 - "$1" <<'END'
import json, sys
report = json.load(open("out"))
w, p = report["windows"], report["program"]
def l(name):
    return [x for x in report["loops"] if x["function"] == name][0]
def near(a, b):
    return abs(a - b) <= 0.03 * b
print(w)
sys.exit(not eval("(" + sys.argv[1] + ")"))
END
}
ok "causes add up to the cycles" figures 'near(sum(w["causes"].values()), w["cycles"])'
ok "functions add up to the cycles" \
    figures 'near(sum(x["cycles"] for x in p["functions"]), p["cycles"]) and
        near(p["cycles"] / w["recorded"], w["cycles"] / w["instructions"])'
ok "source lines add up to the cycles" \
    figures 'near(sum(x["cycles"] for x in w["lines"]), w["cycles"])'
ok "the line of a load whose forward fails has most cycles" \
    figures 'w["lines"][0]["line"] == "windows.s:16"'
ok "a chain through memory takes as long in windows as in rounds that are made up" \
    figures 'near(l("chain")["predicted"], l("chain")["steady"]) and
        l("chain")["recorded_rounds"] >= 50'
ok "forwards that fail take as long in windows as in rounds that are made up" \
    figures 'near(l("failed")["predicted"], l("failed")["steady"]) and
        l("failed")["recorded_rounds"] >= 50'
ok "a loop that calls has the cycles of what it calls by windows" \
    figures 'near(l("caller")["predicted"], 3) and
        near(l("caller")["in_calls"], 3) and l("chain")["in_calls"] == 0'
ok "the pair with a failed forward has most cycles" \
    figures 'w["pairs"][0]["failed"] > 0.5 * w["cycles"] and
        w["pairs"][0]["load_instruction"] == "movq 8(%rsi), %rax"'
ok "a value in a register gains what the pair costs" \
    figures 'w["pairs"][0]["gain"] > 0.8 * w["pairs"][0]["share"]'
ok "the branch of a long loop is predicted" figures 'w["mispredicted"] < 0.01 * w["branches"]'
# A return may take a cycle more than the machine file says, and a load may be renamed.
several_speeds() {
    jq '.dispatch.branches = 1' "$srcdir/data/machine.json" >one_speed.json &&
        jq '.unsteady = true' one_speed.json >speeds.json &&
        holds '(.loops[] | select(.function == "caller") | .low <= .predicted and
                .high > 1.2 * .predicted and (.not_known | contains("which of its speeds"))) and
            (.loops[] | select(.function == "chain") | (.low | round) == 3 and
                .high == .predicted and (.predicted | round) == 8) and
            (.loops[] | select(.function == "failed") | .low == .high and .not_known == null) and
            [.program.functions[] | select(.slowest > 1.1 * .cycles) | .function] ==
                ["nothing"]' --cpu=./speeds.json windows deps.db &&
        tells 'which of its speeds .* of chain (-62 to +0 %), nothing (+0 to +33 %)' --cpu=./speeds.json \
            windows deps.db && grep -q ': ~[0-9.]* cycles an iteration' out &&
        holds 'all(.loops[]; .low == .high and .not_known == null) and
            all(.program, .program.functions[]; .quickest == .cycles and .slowest == .cycles)' \
            --cpu=./one_speed.json windows deps.db
}
ok "by windows, a core with several speeds makes an interval of loops and functions" \
    several_speeds
# Calls of code that no file has, whose returns are not seen.
made_code() {
    cat >made.c <<'END'
#include <stddef.h>
#include <sys/mman.h>
int main(void)
{
    unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (int i = 0; i < 9; i++)
        code[i] = 0x90;
    code[9] = 0xc3;
    for (int i = 0; i < 20000; i++)
        ((void (*)(void))code)();
    return 0;
}
END
    "$compiler" -O1 -o made made.c && records made.db --windows=20:1000 ./made &&
        holds '.loops[] | select(.function == "main") | .recorded_rounds > 0 and .at_least and
            (.not_known | contains("code that cannot be read"))' made made.db &&
        ends 0 "$cpu" --llvm-mca=none made made.db &&
        has 'Not known: what [1-9][0-9] % of the instructions take' &&
        holds 'all(.loops[]; .at_least | not)' windows deps.db
}
ok "by windows, code of no file is not known, and a loop that calls it takes at least its cycles" \
    made_code
# Two functions of one name, one of which has another name, too: the code is the same.
twins() {
    objcopy --redefine-sym failed=chain \
        --add-symbol folded=.text:0,function,local windows twins && report twins deps.db &&
        has '  chain (also folded) at windows.s:[0-9]*$' '  chain at windows.s:[0-9]*$'
}
ok "two functions of one name are two rows, and one has all its names" twins
folded() {
    holds "([.loops[] | .other_names], [.program.functions[] | .other_names]) == [$2]" \
        --function="$1" twins deps.db
}
ok "--function takes another name of a function" folded folded '"folded"'
ok "--function takes all functions of a name" folded chain 'null, "folded"'
stripped() {
    strip -g -o plain windows && mv windows unstripped && mv plain windows &&
        tells '^without a known source line: 100.0%$' windows deps.db
    status=$?
    mv unstripped windows
    return $status
}
ok "the report says how much time is of code without source lines" stripped

# A listing's figures are rounded: a sum of five differs by 0.025 at most.
annotated() {
    report --annotate windows deps.db && has ' windows.s:16 *2: *movq *8(%rsi), %rax$' \
        '^the loops above have [0-9.]*% of the cycles in windows' &&
        awk '
            /^[a-z]+  windows.s:[0-9]+: / { name = $1; if (name == "failed") whole = $3; next }
            name == "failed" && /^ +[0-9.]+ .* [0-9a-f]+  [a-z]/ { sum += $1; n++ }
            END {
                print sum, whole, n
                exit !(n == 4 && whole > 1 &&
                       (sum - whole) ^ 2 <= 0.025 ^ 2)
            }' out
}
ok "--annotate shows lines' source, and what each instruction of a loop takes by windows" \
    annotated
other_code() {
    tells '^the loops above have .*; of other code, these instructions' --annotate --top=1 \
        windows deps.db && tail -n 1 out | grep -q '%  .* windows.s:7  *movq (%rsi), %rax$'
}
ok "--annotate shows the instructions of other code that take most by windows" other_code

ok "cost.db has loops, functions and windows as JSON has them" \
    as_tables windows.function windows deps.db
ok "cost.db says which function was asked for" \
    as_tables loops_chain.distance --function=failed windows deps.db

# of_function EXPRESSION: does it hold for the windows w and the cycles p of the program,
# and for those, f and q, of the function failed?
of_function() {
    report --format=json windows deps.db && cp out whole.json &&
        report --format=json --function=failed windows deps.db &&
        python3 - "$1" <<'END'
import json, sys
whole, part = json.load(open("whole.json")), json.load(open("out"))
w, p, f, q = whole["windows"], whole["program"], part["windows"], part["program"]
print(f, q)
sys.exit(not eval("(" + sys.argv[1] + ")"))
END
}
ok "--function keeps the cycles of the program by windows" of_function '
    [w[x] for x in w if x not in ("lines", "pairs")] ==
        [f[x] for x in w if x not in ("lines", "pairs")] and
    [p[x] for x in p if x != "functions"] == [q[x] for x in p if x != "functions"]'
ok "--function shows the cycles by windows that the function has in the program" \
    of_function 'f["function"] == "failed" and
        q["functions"] == [x for x in p["functions"] if x["function"] == "failed"]'
ok "--function shows the lines of the function by windows" \
    of_function 'f["lines"] == [x for x in w["lines"]
        if 15 <= int(x["line"].split(":")[1]) <= 20] and len(f["lines"]) == 4'
ok "--function shows the pairs of the function by windows" \
    of_function 'f["pairs"] == [x for x in w["pairs"]
        if x["load_instruction"] == "movq 8(%rsi), %rax"] and
        0 < len(f["pairs"]) < len(w["pairs"])'
function_text() {
    tells '^failed has [0-9.]*% of these cycles; ' --function=failed windows deps.db &&
        tells '^no instruction of unused counts in a window$' --function=unused \
            windows deps.db
}
ok "--function says which part of the windows the function has" function_text
# The place of the second store comes late, and is rarely that of the next load.
cat >swapped.c <<'END'
static unsigned char state[256], sum;
__attribute__((noinline)) static void swap(int n)
{
    unsigned char place = 0, j = 0;

    while (n-- > 0) {
        unsigned char a = state[place], b = state[j = (unsigned char)(j + a)];

        state[place++] = b;
        state[j] = a;
        sum ^= state[(unsigned char)(a + b)];
    }
}
int main(void)
{
    for (int i = 0; i < 256; i++)
        state[i] = (unsigned char)(i * 7 + 3);
    for (int i = 0; i < 25; i++)
        swap(4096);
    return sum == 1;
}
END
early() {
    "$compiler" -g -O1 -o swapped swapped.c && records swapped.db --windows=50 ./swapped &&
        report --cpu=znver5 swapped swapped.db &&
        has 'loads that wait for other stores than was predicted [1-9][0-9]' \
            ' swapped.c:7 *swapped.c:10  *state\[\]' \
            '^swap .* cycles an iteration, limited by memory' &&
        ! grep 'No chain limits it' out
}
ok "loads that go ahead of stores to the same place are why a round takes longer" early

# A branch goes one way or the other at random.
cat >random.c <<'END'
int main(void)
{
    unsigned long sum = 0, x = 88172645463325252ul;

    for (int i = 0; i < 100000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        if (x >> 20 & 1)
            __asm__ volatile("add %1, %0" : "+r"(sum) : "r"(x));
        else
            __asm__ volatile("xor %1, %0" : "+r"(sum) : "r"(x));
    }
    return sum == 1;
}
END
mispredicted() {
    of_random() { report --cpu=znver3 "$@" random random.db; }
    "$compiler" -g -O1 -o random random.c &&
        records random.db --windows=50 --objects=main ./random &&
        of_random --format=json -o random.cost || return
    without=$(jq '.loops[0] | .without_mispredictions * 100 | round / 100' out)
    jq -e '.loops[0] | .limited_by == "mispredictions" and .without_mispredictions > 5 and
        .predicted > 1.5 * .without_mispredictions and (.advice |
            test("^Mispredicted branches take .* most at random.c:9; a conditional move"))' out &&
        of_random && has "limited by mispredictions ($without.* without)" \
            "mispredicted branches (without them, by a modelled predictor: -[1-9]" &&
        of_random --format=html && has "<b class=mispredictions>.*($without.* without)" &&
        of_random --format=sarif && has '"ruleId": "limited-by-mispredictions"' &&
        of_random --format=remarks && has 'LimitedByMispredictions' &&
        sqlite3 random.cost "SELECT limited_by, round(without_mispredictions, 2) FROM loops" |
            grep "^mispredictions|$without"
}
ok "a loop whose branch goes at random is limited by mispredictions" mispredicted

# Four places by turns, from which direct jumps lead back.  Only these tell where the next
# indirect jump leads, and those before a window are not recorded.
by_turns() {
    sed "s/APART/$1/" <<'END' >turns.s &&
        .data
        .balign 8
places: .quad   0f, 1f, 2f, 3f
        .text
        .globl  _start
_start: movl    $20000, %ecx
4:      movl    %ecx, %eax
        andl    $3, %eax
        jmp     *places(,%rax,8)
        .balign 256
        .irp    n, 0, 1, 2, 3
\n:    .byte   0xe9
        .long   5f - . - 4
        .skip   APART - 5
        .endr
5:      decl    %ecx
        jne     4b
        movl    $60, %eax
        xorl    %edi, %edi
        syscall
END
        "$compiler" -nostdlib -static -no-pie -o turns turns.s &&
        records turns.db --windows=3 ./turns &&
        report --cpu=znver3 --format=json turns turns.db
}
steps() {
    by_turns 68 && jq -e ".windows.mispredicted == 0" out && by_turns 64 &&
        jq -e '.windows | .mispredicted > 0.3 * .branches' out
}
ok "jumps by turns are predicted by the direct jumps before them, by two bits of each" steps

# Two pairs of one variable: in a register, both are gone.
cat >twice.c <<'END'
double kept, more[100], less[100];
int main(void)
{
    for (int i = 0; i < 20000; i++) {
        kept += more[i % 100];
        __asm__ volatile("" ::: "memory");
        kept -= less[i % 100];
        __asm__ volatile("" ::: "memory");
    }
    return kept > 1;
}
END
one_fix() {
    "$compiler" -g -O1 -o twice twice.c &&
        records twice.db --windows=50 --objects=main ./twice &&
        holds '.windows.pairs[:2] | map(.fix) == [1, 1] and .[0].gain == .[1].gain and
            .[0].gain > 1.5 * .[1].share and .[0].gain > 40' \
            --cpu=znver3 -o twice.cost twice twice.db &&
        has_rows twice.cost 'SELECT count(*) FROM windows_pairs WHERE fix = 1' 2 &&
        tells ' same  twice.c:[57]  *twice.c:[57]  *kept' --cpu=znver3 twice twice.db
}
ok "the gain of a fix is that of all pairs of a variable" one_fix

# --- What windows stand for: each run, and each recorded part, has its own number of
# windows for what it executed ---

# Rounds of 6 instructions: 12 cycles in slow, 4 in quick.
cat >weights.c <<'END'
#include <depsim.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define LOOP(name, step)                                                  \
    __attribute__((noinline)) static void name(long n)                    \
    {                                                                     \
        __asm__ volatile("1: " step step step step "decq %0; jne 1b"      \
                         : "+r"(n) : : "rax", "rdx", "cc");               \
    }
LOOP(slow, "imulq $3, %%rax, %%rax;")
LOOP(quick, "addq %%rdx, %%rax;")
static void *quick_thread(void *n) { quick((long)n); return NULL; }
int main(int argc, char **argv)
{
    long n[5] = {0}; /* rounds; children with their rounds; parts; a thread */

    for (int i = 1; i < argc && i < 6; i++)
        n[i - 1] = atol(argv[i]);
    for (long i = 0; i < n[1]; i++)
        if (fork() == 0) {
            quick(n[2]);
            _exit(0);
        }
    if (n[4] > 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, quick_thread, (void *)n[4]);
        pthread_join(thread, NULL);
    }
    for (long i = 0; i < (n[3] > 0 ? n[3] : 1); i++) {
        DEPSIM_START;
        slow(n[0]);
        if (n[3] > 0) {
            DEPSIM_STOP;
            quick(2000);
        }
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}
END
weights_build() {
    "$compiler" -O1 -g -static -pthread -I"$root/depsim" -o weights weights.c
}
ok "a program with children, threads and parts is compiled" weights_build

# weighed OPTIONS: adds a run to weights.db.
weighed() {
    records weights.db --append=yes "$@"
}
# weighs CYCLES [FILTER]: is that what the windows say, within their interval, but for
# what the C library does, which executes some 200,000 instructions?
weighs() {
    holds ".windows + .program | (.cycles / $1 | . > 0.97 and . < 1.03) and
        .low < 1.03 * $1 and .high > 0.99 * $1 and (${2:-.runs_without == 0})" \
        --cpu=znver5 weights weights.db && cp out weights.json
}
children() {
    rm -f weights.db
    weighed --windows=20 ./weights 4000000 "$1" 1000000 &&
        weighs $((48000000 + $1 * 4000000))
}
for n in 0 1 8; do
    ok "the windows of a program and its $n children weigh what each executed" children $n
done
appended() {
    rm -f weights.db
    weighed --windows=500 ./weights 1000000 &&
        weighed --windows=8 ./weights 5000000 1 9000000 && weighs 108000000
}
ok "the windows of runs that were appended weigh what each executed" appended
some_without() {
    weighed ./weights 5000000 && weighs 108000000 '.runs == 4 and .runs_without == 1' &&
        report --cpu=znver5 weights weights.db &&
        has ' cycles for 7[0-9.]* % of what was executed, with caches' \
            '^no windows, so not in these figures: 1 of 4 runs, with 2[0-9.]* % of'
}
ok "a run without windows is said to have none" some_without
# part CYCLES OPTIONS
part() {
    expected=$1
    shift
    rm -f weights.db
    weighed "$@" && weighs "$expected" &&
        tells ' recorded instructions, [0-9.]* % of those executed$' --cpu=znver5 \
            weights weights.db &&
        jq -e '.recorded == .windows.recorded and .recorded < .instructions' weights.json
}
ok "windows of a function of --fn weigh what it executed" \
    part 1200000 --windows=500 --fn=slow ./weights 100000 0 0 0 900000
ok "windows of recorded parts weigh what these executed" \
    part 1200000 --windows=500 --record-from-start=no ./weights 25000 0 0 4
ok "windows of thousands of recorded parts weigh what these executed" \
    part 720000 --windows=500 --record-from-start=no ./weights 20 0 0 3000
# The loop is the function's first instruction, where each call begins anew.
calls() {
    part 720000 --windows=500 --fn=slow ./weights 20 0 0 3000 &&
        jq -e 'any(.loops[]; .function == "slow" and .predicted > 11.5 and
            .predicted < 12.5 and .in_calls == 0)' weights.json
}
ok "windows of thousands of calls of a function of --fn weigh what these executed" calls
ok "windows of threads weigh what each executed" \
    eval 'rm -f weights.db; weighed --windows=500 ./weights 2000000 0 0 0 3000000 &&
        weighs 36000000'
without() {
    records plain.db ./windows &&
        holds '.windows == null and .program.by == "executions" and
            all(.loops[]; .recorded_rounds == 0 and .in_calls == null)' windows plain.db
}
ok "a run without windows has no figures by windows" without

# The functions that the suite measures as wholes, and one whose callee gives numbers
# that depend on none before: a loop that calls takes at least what its chains say.
whole=$root/research/suite/cycles/loops/whole
suite() {
    names=$(sed -n 's/^WHOLE(\(.*\))$/\1/p' "$whole"/*.c)
    {
        echo '#include "whole.h"'
        printf 'whole_function %s;\n' $names
        cat <<'END'
static char bytes[LOOP_SLOTS * LOOP_SLOT] __attribute__((aligned(4096)));
__attribute__((noinline, noclone)) static int number(void)
{
    int n;

    __asm__ volatile("" : "=r"(n) : "0"(12345));
    return n;
}
__attribute__((noinline)) static void numbers_afresh(int *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = number() % 400 * 7919 % 1000 * 31 % 77;
}
int main(void)
{
    char *data = bytes;
    struct node *nodes = SLOT(4);
    uint32_t state = 1;

    for (int i = 0; i < 3 * DOUBLES; i++)
        ((double *)SLOT(i % 3))[i / 3] = 1 + i % 1000 / 1000.0;
    for (int i = 0; i < N_INTS; i++)
        INTS[i] = (int)(next_random(&state) >> 24);
    for (int i = 0; i < 512; i++)
        nodes[i] = (struct node){&nodes[(i + 1) % 512], i};
    for (long turn = 0; turn < 3; turn++) {
        numbers_afresh(SLOT(5), 1000);
END
        printf '%s(turn, data);\n' $names
        echo '} return 0; }'
    } >suite.c
    "$compiler" -O1 -I"$whole" -o suite suite.c "$whole"/*.c -lm &&
        records suite.db --objects=main --windows=400:1000 ./suite &&
        report --format=json --objects=main --min-share=0 --top=1000 suite suite.db && cp out report.json &&
        jq -c '[.loops[] | select(.calls and .recorded_rounds > 0)]' report.json >calling.json
}
ok "the functions of the suite are recorded with windows" suite
at_least() {
    jq '.[] | {function, steady, predicted}' calling.json
    jq -e 'length >= 3 and all(.steady <= 1.03 * .predicted)' calling.json
}
ok "a loop that calls takes in windows at least what it takes without calls" at_least

# A counter is renamed, until another one takes its place.
cat >turns.c <<'END'
static unsigned char data[8192];
static unsigned counts[256];
__attribute__((noinline)) void histogram(const unsigned char *b, const unsigned char *end)
{
    for (; b != end; b++)
        counts[*b]++;
}
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 8192; i++)
        data[i] = argc > 1 ? i / 64 % 4 : 0;
    for (int i = 0; i < 100; i++)
        histogram(data, data + 8192);
    return 0;
}
END
turns() {
    "$compiler" -O2 -g -o turns turns.c &&
        for runs in '' 64; do
            # shellcheck disable=SC2086 # no argument, or one
            records "turns$runs.db" --windows=100 ./turns $runs &&
                report --cpu=znver5 --format=json turns "turns$runs.db" &&
                cp out "turns$runs.json" || return
        done
    loop='.loops[] | select(.function == "histogram") | .predicted'
    jq "$loop" turns.json turns64.json
    part='(.windows.causes | .addresses / ([.[]] | add))'
    jq -e "($loop < 1.2) and $part < 0.05" turns.json &&
        jq -e "($loop > 1.7) and $part > 0.1" turns64.json
}
ok "a load that is renamed to the wrong store restarts the instructions after it" turns

# Each loop has one figure and one limit: "ADDRESS CYCLES LIMIT", sorted, where a format
# has them.
one_figure() {
    suite_report() { report --format="$1" --objects=main --min-share=0 --top=1000 suite suite.db; }
    figures='s/^.*: [~>=]*\([0-9.]* cycles an iteration\).*\(, limited by [a-z]*\).*/\1\2/p'
    jq -r '.loops[] | "\(.address) \(100 * .predicted | round) \(.limited_by)"' \
        report.json | sort >want
    report --objects=main --min-share=0 -o suite.cost suite suite.db >/dev/null &&
        sqlite3 -separator ' ' suite.cost "SELECT address, cast(round(100 * predicted) AS int),
            limited_by FROM loops" | sort | diff want - || return
    # All 17 digits: a figure near 1.325 is rounded by its last ones.
    sqlite3 -separator ' ' suite.cost "SELECT printf('%!.17g', predicted), limited_by FROM loops" |
        awk '{ printf "%.2f cycles an iteration, limited by %s\n", $1, $2 }' | sort >want
    suite_report text | grep -v "of the program's cycles" | sed -n "$figures" | sort | diff want - &&
        suite_report dot | grep 'label=".*cycles an iteration' | sed -n "$figures" | sort |
            diff want - || return
    suite_report html | grep '^<p>[^<]* cycles an iteration' | grep -v 'of the program' |
        sed 's/<[^>]*>//g; s/&gt;/>/g; s/^/: /' | sed -n "$figures" | sort | diff want - ||
        return
    suite_report markdown | sed -n "$(
        )s/^|.* | [~>=]*\\([0-9.]*\\) | \\([a-z]*\\) | [0-9]* | [0-9.]*% | [0-9.]*% |\$/$(
        )\\1 cycles an iteration, limited by \\2/p" | sort | diff want - || return
    jq '.loops[].predicted' report.json | awk '{ printf "%.2f\n", $1 }' | sort >numbers
    suite_report sarif | jq -r '.runs[0].results[] | select(.ruleId | test("limited")) |
        .properties.cyclesPerRound' | awk '{ printf "%.2f\n", $1 }' | sort |
        diff numbers - || return
    [ "$(wc -l <want)" -ge 100 ]
}
ok "no format has another figure or limit of a loop" one_figure
end_of_cases
