#!/bin/sh
# depbound --baseline: what has changed since an earlier report, and the gate.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# compares STATUS ARGUMENT...: does a comparison end with this status?
compares() {
    expected_status=$1
    shift
    ends "$expected_status" "$cpu" --llvm-mca=none --verbose "$@"
}

# saves FILE ARGUMENT...: keeps a JSON report.
saves() {
    saved=$1
    shift
    report --format=json "$@" && cp out "$saved"
}

# changes FILTER ARGUMENT...: is this jq filter true of what has changed?
changes() {
    filter=$1
    shift
    holds ".comparison | $filter" "$@"
}

# --- Two builds ---

# Each round of halves() stores two halves of a word, and the next round loads one
# of them; the loop of other() never changes.
source='#include <stdint.h>
MORE_LINES
struct pair { uint32_t low, high; } state;
__attribute__((noinline)) uint64_t halves(volatile struct pair *p, long n)
{
    uint64_t sum = 0;

    for (long i = 0; i < n; i++) {
        sum += LOAD;
        p->low = (uint32_t)sum;
        p->high = (uint32_t)i;
    }
    return sum;
}
__attribute__((noinline)) double other(volatile double *a, long n)
{
    for (long i = 1; i < n; i++)
        a[i] = a[i - 1] + 1;
    return a[n - 1];
}
double data[3000];
int main(void)
{
    return (halves(&state, 3000) + (uint64_t)other(data, 3000)) == 1;
}'
# build NAME LOAD LINES [OPTION]: a program whose loop loads this, with some lines
# before it.
build() {
    mkdir -p src && printf '%s\n' "$source" |
        sed "s|LOAD|$2|; s|MORE_LINES|$3|" >src/pair.c &&
        "$compiler" -O1 ${4--g} -o "$1" src/pair.c &&
        records "$1.db" "./$1"
}
joined='*(volatile uint64_t *)p'
ok "a program that loads a half of what it stores is built and recorded" build half 'p->low' ''
ok "a program that joins two stores by a load is built and recorded" \
    build joined "$joined" '/* A line.\n and two\n more. */'
ok "a program with other lines before its loops is built and recorded" \
    build moved 'p->low' '/* A line.\n and two\n more. */\nint unused = 1;'
ok "reports of the first build are kept" saves half.json half half.db
ok "a report of the first build without its run is kept" saves static.json half

ok "a build is the same as itself" changes '.passed and
    .loop_counts[0].same == 2 and (.loops | length) == 2 and
    all(.loops[]; .state == "same" and .growth == 0) and
    all(.dependencies[]; .state == "same") and
    .unmatched_before == 0 and .unmatched_now == 0' \
    --baseline=half.json half half.db
ok "lines before a function change nothing" changes '
    .loop_counts[0].same == 2 and (.loops | length) == 2 and
    all(.dependencies[]; .state == "same") and
    all(.loops[]; .line != .line_before)' \
    --baseline=half.json moved moved.db
ok "a joined store makes one loop slower, and not the other" changes '
    (.loops[] | select(.function == "halves") | .state == "slower" and
        .round.now - .round.before >= 10 and .total.now > .total.before) and
    (.loops[] | select(.function == "other") | .state == "same")' \
    --baseline=half.json joined joined.db
ok "a joined store makes a dependency whose forward fails" changes '
    any(.dependencies[]; .function == "halves" and
        .forwarding.now == "failed" and .forwarding.before != "failed" and
        (.state == "new" or .state == "slower") and .round.now > 0)' \
    --baseline=half.json joined joined.db
ok "a report without a run compares cycles of a round" changes '
    any(.loops[]; .function == "halves" and .state == "slower" and
        .total.now == null and .round.now > .round.before)' \
    --baseline=static.json joined
faster() {
    saves joined.json joined joined.db && changes '
        any(.loops[]; .function == "halves" and .state == "faster" and
            .growth < 0) and .passed' --max-slowdown=0 \
        --baseline=joined.json half half.db
}
ok "a loop that was slower in the baseline is faster now" faster
gone() {
    changes 'any(.loops[]; .function == "halves" and .state == "gone" and
            .loops_now == 0) and .loop_counts[0].gone == 1' \
        --baseline=half.json other other.db
}
other_only() {
    sed -i 's/halves(&state, 3000) + //' src/pair.c &&
        "$compiler" -O1 -g -o other src/pair.c &&
        records other.db ./other
}
ok "a program without one of the loops is built and recorded" other_only
ok "a loop that does not run any more is gone" gone
new() {
    saves other.json --objects=main other other.db && changes '
        any(.loops[]; .function == "halves" and .state == "new")' \
        --baseline=other.json --objects=main half half.db
}
ok "a loop that did not run before is new" new
unlisted() {
    saves top.json --top=1 half half.db && changes '
        .loop_counts[0].not_listed_before == 1 and
        .loop_counts[0].same == 1 and .loop_counts[0].new == 0' \
        --baseline=top.json half half.db
}
ok "a loop that the baseline left out is not called new" unlisted

# --- Without lines ---

plain() {
    build plain 'p->low' '' -g0 && build plain2 "$joined" '' -g0 &&
        saves plain.json plain plain.db && changes '
        (.loops[] | select(.function == "halves") |
            .state == "slower" and .line == null) and
        (.loops[] | select(.function == "other") | .state == "same")' \
        --baseline=plain.json plain2 plain2.db
}
ok "loops without lines are found again by their functions" plain
stripped() {
    cp half bare && strip bare &&
        records bare.db ./bare &&
        saves bare.json bare bare.db && changes '
        .unmatched_before >= 1 and .unmatched_now == .unmatched_before and
        .loops == []' --baseline=bare.json bare bare.db
}
ok "loops without a function or a line are counted as not compared" stripped
empty_gate() {
    saves bare.json bare && compares 1 --baseline=bare.json --max-slowdown=5 bare &&
        equal "$(cat err)" "depbound: bare.json: nothing to compare with: no $(
            )loop of it was found again"
}
ok "the gate fails if nothing of the baseline is found again" empty_gate
ok "the text report counts loops that are not compared" tells \
    '^Not compared, since nothing tells which is which: [0-9]* loops* before, [0-9]* now\.$' \
    --baseline=bare.json bare

# --- The gate ---

ok "the gate passes if nothing is slower" \
    report --baseline=half.json --max-slowdown=0 half half.db
fails() {
    compares 1 --baseline=half.json --max-slowdown=5 joined joined.db &&
        grep -q "^depbound: halves pair.c:[0-9]*: .* cycles, .*% more than $(
            )the baseline's .*; at most 5% more are allowed\$" err &&
        grep -q "^depbound: the program: .* cycles, .*% more than the baseline's .*" err &&
        [ "$(wc -l <err)" -eq 2 ] && grep -q '^changes since the baseline$' out
}
ok "the gate fails if a loop is slower, with a line for it and the program" fails
fails_in_json() {
    compares 1 --format=json --baseline=half.json --max-slowdown=5 joined joined.db &&
        jq -e '.comparison | (.passed | not) and .max_slowdown == 5 and
            [.loops[] | select(.fails) | .function] == ["halves"]' out
}
ok "a JSON report says which loop fails the gate" fails_in_json
within() {
    growth=$(jq '[.comparison.loops[].growth | values] | max' out) &&
        limit=$(jq -n "$growth + 1 | floor") || return
    [ "$limit" -le 100 ] || limit=100
    report --baseline=static.json --max-slowdown="$limit" half
}
ok "the gate without a run passes if nothing is slower" within
fails_static() {
    compares 1 --baseline=static.json --max-slowdown=50 joined &&
        grep -q '^depbound: halves pair.c:[0-9]*: .* cycles an iteration, ' err
}
ok "the gate without a run compares cycles of a round" fails_static

# --- Formats ---

in_text() {
    report --baseline=half.json joined joined.db && has \
        '^Loops: 1 slower, 1 the same; dependencies through memory: ' \
        ' *[0-9.]* *[0-9.]* .*+[0-9.]*%  slower  halves  pair.c:' \
        ' failed* .*pair.c:[0-9]* *pair.c:[0-9]*$\| fails now '
}
ok "the text report shows what changed since the baseline" in_text
ok "the Markdown report shows what changed since the baseline" \
    tells '^|.*| \*\*slower\*\* | `halves` | pair.c:[0-9]* |' \
    --format=markdown --baseline=half.json joined joined.db
in_html() {
    report --format=html --baseline=half.json joined joined.db &&
        has '<h2>Changes since the baseline</h2>' '>slower<' &&
        python3 - out <<'END'
import html.parser, sys
html.parser.HTMLParser().feed(open(sys.argv[1]).read())
END
}
ok "the HTML report shows what changed since the baseline" in_html
ok_if "$has_schemas" "$no_schemas" "a JSON report with a baseline matches the schema" \
    of_schema --baseline=half.json joined joined.db

# --- Baselines that mean something else ---

ok "a limit without a baseline is refused" \
    says "depbound: --max-slowdown: needs a --baseline" --max-slowdown=5 half
ok "a limit that is no percentage is refused" \
    says "depbound: --max-slowdown=-1: must be a percentage from 0 to 100" \
    --max-slowdown=-1 --baseline=half.json half
ok "a baseline of a run is refused without one" \
    says "depbound: half.json: a report with --edges observed; this one has $(
        )--edges static" --baseline=half.json half
ok "a baseline with another support is refused" \
    says "depbound: static.json: a report with --support 50; this one has $(
        )--support 80" --baseline=static.json --support=80 half
ok "a baseline of the whole program is refused for a function" \
    says "depbound: static.json: a report with no --function; this one has $(
        )--function halves" --baseline=static.json --function=halves half
ok "a baseline of another processor is refused" \
    says "depbound: static.json: a report with machine file made-up; this one $(
        )has machine file znver4" --baseline=static.json --cpu=znver4 half
other_version() {
    jq '.version = "0.9"' static.json >older.json &&
        version=$(jq -r .version static.json) &&
        says "depbound: older.json: a report of version 0.9; this is version $(
            )$version" --baseline=older.json half
}
ok "a baseline of another version is refused" other_version
without_null() {
    jq 'del(.llvm_mca)' half.json >without.json &&
        report --baseline=without.json half half.db
}
ok "a baseline may lack what this report has no value for" without_null
ok "a baseline that is not there is refused" says \
    "depbound: no.json: No such file or directory" --baseline=no.json half
ran() {
    printf '#!/bin/sh\ntouch "%s/ran"\n' "$tmp" >toucher && chmod +x toucher
    compares 2 --baseline=no.json --record ./toucher && [ ! -e ran ]
}
ok "a baseline that cannot be read ends before the program runs" ran

# --- Damaged baselines ---

# damaged FILTER MESSAGE: is a report that this jq filter changes refused so?
damaged() {
    jq "$1" static.json >bad.json &&
        says "depbound: bad.json: not a depbound JSON report: $2" \
            --baseline=bad.json half
}
ok "a baseline without loops is refused" damaged 'del(.loops)' "no loops"
ok "a baseline that is a list is refused" damaged '[.]' "no loops"
ok "a baseline without options is refused" damaged 'del(.options)' "no options"
ok "a baseline without a version is refused" damaged 'del(.version)' "no version"
ok "a baseline whose loops are a text is refused" damaged '.loops = "x"' "no loops"
ok "a baseline with negative cycles is refused" damaged '.loops[0].predicted = -1' "wrong loop"
ok "a baseline with cycles that are a text is refused" \
    damaged '.loops[0].predicted = "1"' "wrong loop"
ok "a baseline with too many rounds is refused" damaged '.loops[0].rounds = 1e300' "wrong loop"
ok "a baseline with half a round is refused" damaged '.loops[0].rounds = 0.5' "wrong loop"
ok "a baseline whose loop has no dependencies is refused" \
    damaged 'del(.loops[0].dependencies)' "wrong loop"
ok "a baseline whose dependency has no end is refused" damaged '
    (.loops[] | select(.dependencies != []) | .dependencies[0].from) = null' \
    "wrong loop"
ok "a baseline with a wrong program is refused" damaged '.program = 3' "wrong program"
ok "a baseline with a program without cycles is refused" \
    damaged '.program = {"by": "windows"}' "wrong program"
ok "a baseline with a negative number of loops is refused" \
    damaged '.left_out = -1' "no number of loops left out"
cut() {
    head -c "$(($(wc -c <static.json) / 2))" static.json >cut.json &&
        compares 2 --baseline=cut.json half && [ ! -s out ] &&
        grep -q '^depbound: cut.json: not JSON: line [0-9]*: ' err &&
        [ "$(wc -l <err)" -eq 1 ]
}
ok "a baseline that was cut off is refused" cut
empty() {
    : >empty.json && compares 2 --baseline=empty.json half &&
        grep -q '^depbound: empty.json: not JSON: ' err
}
ok "an empty baseline is refused" empty
# Every cut and many changed bytes end in a message or a report.
mangled() {
    python3 - static.json >mangled <<'END'
import random, sys
data = open(sys.argv[1], 'rb').read()
random.seed(1)
for i in range(12):
    changed = bytearray(data)
    for j in range(1 + i % 3):
        changed[random.randrange(len(data))] = random.choice(b'0"{}[],:-e9n')
    name = f"mangled{i}.json"
    open(name, 'wb').write(changed)
    print(name)
END
    while read -r file; do
        status=0
        run depbound --cpu="$srcdir/data/machine.json" --llvm-mca=none \
            --baseline="$file" half >out 2>err </dev/null || status=$?
        case $status in
        0) [ -s out ] || return 1 ;;
        2) [ "$(wc -l <err)" -eq 1 ] || { cat err; return 1; } ;;
        *) echo "$file: $status"; return 1 ;;
        esac
    done <mangled
}
ok "a baseline with changed bytes ends in a report or a message" mangled
escapes() {
    jq '.loops[0].function = "\u001b[31m<b>x" | .loops[0].line = null' \
        static.json >escapes.json &&
        report --baseline=escapes.json half &&
        ! grep -q "$(printf '\033')" out &&
        report --format=html --baseline=escapes.json half &&
        ! grep -q '<b>x' out && grep -q '&lt;b&gt;x' out
}
ok "names of a baseline control no terminal and no page" escapes
untrusted() {
    run depbound --cpu=znver4 --llvm-mca=none --format=json half >z.json &&
        run depbound --cpu=znver4 --llvm-mca=none --untrusted \
            --baseline=z.json half >out 2>err &&
        grep -q '^Loops: 2 the same' out || { cat out err; grep -q Landlock err; }
}
ok "a baseline can be read with --untrusted" untrusted

end_of_cases
