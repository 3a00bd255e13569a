#!/bin/sh
# What depbound does not know, it says: figures that are only the least, or those
# of one way, latencies that are guessed, and what its advice leaves.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

cat >cases.c <<'END'
struct mean { double sum; long n; };
struct scan { const char *at, *end; long n; double sum; };
double out[20000];
unsigned seen[64];
static char text[4000], index_of[4000];

__attribute__((noinline)) void add(struct mean *m, double x)
{
    m->sum = m->sum * 0.5 + x;
    m->n++;
}
__attribute__((noinline)) void calls(struct mean *m, const double *x, long n)
{
    for (long i = 0; i < n; i++)
        add(m, x[i]);
}
__attribute__((noinline)) void outer(double *x, const double *y, long n, int m)
{
    for (long i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            x[k] = x[k] * 0.5 + y[k];
}
__attribute__((noinline)) void ways(struct scan *s)
{
    while (s->at != s->end) {
        char c = *s->at++;

        if (c & 1)
            s->sum = s->sum * 0.5 + c;
        else
            s->n++;
    }
}
__attribute__((noinline)) void counts(const char *at, long n, unsigned *x)
{
    for (long i = 0; i < n; i++)
        x[(unsigned char)at[i]]++;
}
__attribute__((noinline)) void whole(double *x, long n)
{
    double sum = 0;

    for (long i = 0; i < n; i++) {
        sum += 1;
        x[i] = sum;
    }
}
void chance(double *x, long n);
volatile int two = 2; /* a constant would tell how the outer loop carries */
int main(void)
{
    struct mean m = {0, 0};
    struct scan s = {text, text + 4000, 0, 0};

    for (int i = 0; i < 4000; i++)
        text[i] = i % 10 < 6 ? 1 : 2;
    calls(&m, out, 2000);
    outer(out, out + 9, 2000, two);
    chance(out, 2000);
    ways(&s);
    counts(index_of, 4000, seen);
    whole(out, 20);
    for (int i = 0; i < 100; i++)
        whole(out, 200);
    return m.n + s.n == 0;
}
END
# Runs of two rounds of seven instructions, and seven around them: the store of the run
# before is as far from a load as one of the third round before would be.
cat >chance.s <<'END'
    .globl chance
    .type chance, @function
chance:
    xorl %r8d, %r8d
0:  xorl %eax, %eax
    nop
    nop
    nop
1:  movsd (%rdi,%rax), %xmm0
    mulsd %xmm0, %xmm0
    mulsd %xmm0, %xmm0
    movsd %xmm0, (%rdi,%rax)
    addq $8, %rax
    cmpq $16, %rax
    jne 1b
    addq $1, %r8
    cmpq %rsi, %r8
    jne 0b
    ret
    .size chance, . - chance
    .section .note.GNU-stack
END
prepare() {
    "$compiler" -g -O2 -fno-tree-vectorize -fno-unroll-loops -o cases cases.c chance.s &&
        run staticdeps --scope=function -o static.db cases &&
        records deps.db ./cases
}
ok "a program is recorded whose loops have dependencies that are no edges" prepare
least="(.at_least and (.advice // \"\" | test(\"^No chain|unrolled\") | not))"
ok "a loop that calls takes at least its own cycles" holds "$(loop calls) | $least
    and (.not_known | test(\"what its calls do.*depbound --record\"))" \
    cases static.db
ok "a loop whose address is data is not known" \
    holds "$(loop counts) | (.not_known | test(\"addresses are data\"))" \
    cases static.db
ok "a loop takes at least its cycles if an outer loop may carry a dependency" \
    holds "any($(loop outer); $least and (.not_known | test(\"outer loop may\")))" \
    cases static.db
ok "without a run it is not known how often a loop takes its path" holds "$(loop ways) |
    .not_known | test(\"how often its iterations go this way\")" cases static.db
ok "the figure of a loop that leaves nothing out is complete" holds "$(loop whole) |
    .at_least == false and .not_known == null" cases static.db
ok "with a run a dependency in what the loop calls is named" \
    holds "$(loop calls) | $least and (.not_known |
    test(\"load at 0x[0-9a-f]+, cases.c:[0-9]+, in add read what the store at $(
    )0x[0-9a-f]+, cases.c:[0-9]+, in add wrote [0-9]+ instructions before, $(
    )1999 times\"))" --min-share=0 cases deps.db static.db
ok "with a run a dependency that an outer loop carries is named" \
    holds "any($(loop outer); $least and (.not_known |
    test(\"cases.c:21 read what the store at .*cases.c:21 wrote .* 3998 times\")))" \
    --min-share=0 cases deps.db static.db
ok "what an outer loop carries is no dependency over more rounds than a run has" \
    holds "any($(loop chance); $least and (.not_known | test(\"wrote 18 instructions $(
    )before, 3998 times\")))" --min-share=0 cases deps.db static.db
ok "with a run it is known how many rounds take the path of a loop" \
    holds "$(loop ways) | .not_known | test(\"^60 % of its iterations go this way, $(
    )which makes [0-9.]+ cycles for each of all\")" \
    --min-share=0 cases deps.db static.db
ok "with a run the figure of a loop that leaves nothing out is complete" holds "$(loop whole) |
    .at_least == false and .not_known == null" --min-share=0 cases deps.db static.db
marks() {
    report --min-share=0 cases deps.db static.db && has \
        "(>=: at least; ~: in some iterations)" " >=[0-9.]* .* calls  cases.c" \
        "^calls .*: >=[0-9.]* cycles an iteration, limited by" \
        "^ways .*: ~[0-9.]* cycles an iteration, limited by" \
        "^whole .*: [0-9.]* cycles an iteration, limited by"
}
ok "the table and the headings mark figures that are not complete" marks
functions() {
    ends 0 "$cpu" --verbose --min-share=0 cases deps.db static.db && has \
        "  ~[0-9.]*% *[0-9.]*%  ways$" " - *[0-9.]*%  outer$" "  [0-9.]*% *[0-9.]*%  whole$"
}
ok_if "command -v llvm-mca" "llvm-mca is not installed" \
    "what memory costs a function has the marks of its loops, or is not known" functions
ok "Markdown says what is not known, too" tells \
    "^calls cases.c:[0-9]*: .*=[0-9.]* cycles. .*Not counted: what its calls do" \
    --format=markdown --min-share=0 cases deps.db static.db
in_cost_db() {
    report --min-share=0 -o cost.db cases deps.db static.db && has_rows cost.db \
        "SELECT function FROM loops WHERE NOT at_least
            AND not_known ISNULL AND function IN ('whole', 'calls', 'ways');
        SELECT at_least || (not_known LIKE '%what its calls do%')
            FROM loops WHERE function = 'calls';
        SELECT mended < predicted FROM loops WHERE function = 'ways'" \
        "$(printf '%s\n' whole 11 1)"
}
ok "cost.db says what is not known, and what following the advice leaves" in_cost_db
# Loops of two atomics, of an exchange with memory, of fences before a chain, and one of
# a chain alone; and a file that knows what these cost.
cat >order.hex <<'END'
f048010f f048018f80000000 48ffce 75ef
488707 48ffce 75f8
0faef0 4889ca 480fafd2480fafd2480fafd2480fafd2 48ffce 75e5
0faee8 4889ca 480fafd2480fafd2480fafd2480fafd2 48ffce 75e5
480fafd2 48ffce 75f7
END
jq '.access = {"locked": 20} | .latency += [{"mnemonic": "mfence", "cycles": 57}]
    | .occupancy = [{"mnemonic": "mfence", "cycles": 79}, {"mnemonic": "lfence", "cycles": 13},
        {"mnemonic": "xchg", "locked": true, "cycles": 25}]' \
    "$srcdir/data/machine.json" >order.json
unordered=$cpu
cpu=--cpu=order.json
ok "atomics take turns, and what follows a fence waits for what is before it" \
    holds '[.loops[].predicted | round] == [40, 25, 79, 25, 3] and
        ([.loops[].not_known] | all(. == null))' --hex=order.hex
cpu=$unordered
ok "the time of atomics and fences is unknown if the machine file does not give it" \
    holds '[.loops[] | .predicted, .mended, .steady, .units, .registers, .memory] ==
        [range(24) | null] + [3, 3, 3, null, 3, 3]
        and ([.loops[].limited_by] == [range(4) | "not known"] + ["registers"])
        and ([.loops[] | .not_known // "" | test("2 atomic instructions or fences take, ")] ==
            [true, false, false, false, false])' --hex=order.hex
# in_format FORMAT: are there four loops without a figure, and one with?
in_format() {
    ends 0 "$cpu" --llvm-mca=none --format="$1" --hex=order.hex &&
        [ "$(grep -o "not known how many cycles an iteration takes" out | wc -l)" = "$2" ] &&
        [ "$(grep -Ec "[0-9] cycles an iteration, limited by" out)" = "$3" ]
}
# The verdict is about the first.
ok "the text has no figure for loops with atomics of unknown time" in_format text 6 1
ok "the page has no figure for loops with atomics of unknown time" in_format html 5 1
ok "the graph has no figure for loops with atomics of unknown time" in_format dot 4 1
ok "SARIF has no figure for loops with atomics of unknown time" in_format sarif 4 1
cat >atomic.c <<'END'
long count;
int main(void)
{
    for (int i = 0; i < 20000; i++)
        __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    return 0;
}
END
in_windows() {
    "$compiler" -g -O2 -fno-unroll-loops -o atomic atomic.c &&
        records atomic.db --windows=40:500 ./atomic &&
        holds '.windows | .cycles == null and .causes == null and .lines == [] and
            .unknown_order > 500' atomic atomic.db &&
        holds '(.program.by == "executions") and
            ([.loops[] | .predicted, .in_calls] | all(. == null))' atomic atomic.db &&
        report -o atomic.cost atomic atomic.db &&
        has "^not known: what [0-9]* of [0-9]* instructions take, which are atomic" &&
        ! grep -q "if all data are in the first cache" out &&
        has_rows atomic.cost "SELECT predicted ISNULL AND limited_by = 'not known'
            FROM loops WHERE function = 'main';
            SELECT cycles ISNULL AND causes_order ISNULL FROM windows" "$(printf '1\n1')"
}
ok "windows have no figure if atomics would be much of it" in_windows
cpu=--cpu=order.json
ok "windows have atomics take turns" \
    holds '(.windows.causes.order > 0.6 * .windows.cycles) and
        ([.loops[] | select(.function == "main").predicted] | all(. > 19 and . < 21))' \
        --min-share=5 atomic atomic.db
two_atomics() {
    sed 's/.*__atomic.*/    {\n&\n        if (i % 16 == 0)\n    &\n    }/' atomic.c >two.c &&
        "$compiler" -g -O2 -fno-unroll-loops -o two two.c &&
        records two.db --windows=40:500 ./two &&
        holds '[.loops[] | select(.function == "main")] | length > 0 and
            all(.predicted > 20.5 and (.advice | test("^Atomics and fences take turns")))' \
            --min-share=5 two two.db
}
ok "the advice names atomics in recorded iterations that take several paths" two_atomics
cpu=$unordered
large() {
    sed 's/whole(out, 200)/whole(out, 20000)/' cases.c >large.c &&
        "$compiler" -g -O2 -fno-tree-vectorize -o large large.c chance.s &&
        records large.db ./large &&
        holds "$(loop whole) | .at_least and (.not_known |
            test(\"beyond the first cache; each run of the loop goes through 15[0-9] KiB\"))" \
            large large.db
}
ok "a loop whose data leave the first cache takes at least its cycles" large

# bounds MEMORY MENDED LIMIT BYTES: are these the bounds of machine code?
bounds() {
    holds "def near: 10 * . | round | . / 10;
        .loops[0] | (.memory | near) == $1 and (.mended | near) == $2 and
            .limited_by == \"$3\"" \
        --hex="$4"
}
# imul $3,(%rdi),%rax; add $1,%rax; mov %rax,(%rdi)
kept="48 6b 07 03 48 83 c0 01 48 89 07"
ok "a chain whose value is kept in a register keeps its arithmetic" bounds 9 4 memory "$kept"
ok "the gain of a loop counts all of its values" bounds 9 4 memory "$kept \
    48 6b 46 08 03 48 83 c0 01 48 89 46 08"
# That chain at (%rsp), which is renamed.
renamed() {
    bounds 4 4 registers "48 6b 04 24 03 48 83 c0 01 48 89 04 24" &&
        jq -e '.loops[0].advice | test("^The imul") and
            (test("keep") | not)' out
}
ok "there is no advice to keep a value in a register where that gains nothing" renamed
# mov (%rdi),%rax; add $3,%rax; mov %eax,(%rdi); mov %esi,4(%rdi)
ok "a forward that fails becomes one that does not" \
    bounds 22 6 memory "48 8b 07 48 83 c0 03 89 07 89 77 04"

# pmaddwd, twice, is neither in the machine file nor known without llvm-mca.
for format in text html; do
    ok "$format says where a figure rests on a guessed latency" tells \
        "Guessed: the 1.00 cycles of pmaddwd %xmm1, %xmm0 at 0\." --format=$format \
        --hex="66 0f f5 c1 66 0f f5 c1 48 ff c7"
done

# A program may be called as assembly source is.
named() {
    cp cases is.S && cp cases is.s &&
        holds "$(loop whole) | .not_known == null" is.S &&
        holds "$(loop whole) | .not_known == null" is.s
}
ok "an ELF program named like assembly source is read as a program" named
staticdeps_too() { run staticdeps --function=whole -o is.db is.S; }
ok "staticdeps reads an ELF program named like assembly source as a program" staticdeps_too
end_of_cases
