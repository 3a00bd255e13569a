#!/bin/sh
# The formats of depbound for programs that people have: SARIF and Callgrind.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# of_file FILTER FILE: is this jq filter true of a file?
of_file() {
    jq -e "$1" "$2" >/dev/null || { jq . "$2"; return 1; }
}

mkdir 'a b#%' && cat >'a b#%/viewed.c' <<'END'
#include <stdint.h>
double data[3000];
struct pair { uint32_t low, high; } state[2];
__attribute__((noinline)) void through_memory(volatile double *a, long n)
{
    for (long i = 1; i < n; i++)
        a[i] = a[i - 1] + 1;
}
__attribute__((noinline)) void joined(volatile struct pair *p, long n)
{
    for (long i = 0; i < n; i++) {
        uint64_t both = *(volatile uint64_t *)p;

        p->low = (uint32_t)both;
        p->high = (uint32_t)i;
    }
}
__attribute__((noinline)) long in_register(long n)
{
    long x = n;

    for (long i = 0; i < n; i++) {
        x = x * 3 + i;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}
int main(void)
{
    through_memory(data, 3000);
    joined(state, 2000);
    return in_register(1000) == 1;
}
END
build() {
    "$compiler" -O1 -g -o viewed 'a b#%/viewed.c' &&
        records deps.db ./viewed &&
        report --format=json viewed deps.db && cp out json &&
        jq -e '.loops | length == 3' json
}
ok "a program of three loops is built and recorded" build

# --- SARIF ---

sarif() {
    report --format=sarif "$@" && cp out sarif
}
ok "depbound prints SARIF" sarif viewed deps.db
ok "SARIF is of version 2.1.0, with one run and a driver" of_file '
    .version == "2.1.0" and (.["$schema"] | endswith("sarif-schema-2.1.0.json"))
    and (.runs | length == 1) and .runs[0].tool.driver.name == "depbound"' sarif
ok "each result has a rule, a level, a message and one place" of_file '
    .runs[0] as $run | ($run.results | length >= 3) and
    all($run.results[]; $run.tool.driver.rules[.ruleIndex].id == .ruleId and
        (.level == "note" or .level == "warning") and
        (.message.text | length > 10) and (.locations | length == 1) and
        (.locations[0].physicalLocation |
            (.artifactLocation.uri | type == "string") and
            .region.startLine >= 1))' sarif
ok "each rule has an identifier of its own and a description" of_file '
    .runs[0].tool.driver.rules | length == (map(.id) | unique | length) and
    all(.[]; .shortDescription.text | length > 10)' sarif
ok "a loop that memory limits is a warning, and no other" of_file '
    [.runs[0].results[] | select(.level == "warning") | .ruleId] | unique ==
        ["limited-by-memory"]' sarif
ok "a loop that registers limit is a note" of_file '
    any(.runs[0].results[]; .ruleId == "limited-by-registers" and
        .level == "note" and (.message.text | startswith("in_register: ")))' \
    sarif
same_chain() {
    jq -c '[.loops[] | select(.function == "through_memory") | .chain[] |
        .to.line | sub(".*:"; "") | tonumber]' json >lines
    jq -c '[.runs[0].results[] |
        select(.message.text | startswith("through_memory: ")) |
        .codeFlows[0].threadFlows[0].locations[] |
        .location.physicalLocation.region.startLine]' sarif >flow
    cat lines flow
    [ "$(jq length lines)" -ge 2 ] && cmp lines flow
}
ok "the code flow has the lines of the chain, in its order" same_chain
ok "each step of a code flow has its place, number and message" of_file '
    [.runs[0].results[] | select(.codeFlows) |
        .codeFlows[0].threadFlows[0].locations] | length >= 2 and
    all(.[]; (map(.executionOrder) == [range(1; length + 1)]) and
        all(.[]; (.location.message.text | test(" waits [0-9.]+ cycles for ")) and
            .location.physicalLocation.region.startLine >= 1))' sarif
failed() {
    jq '[.loops[] | select(.failed != []) | .failed[]] | length' json >count
    [ "$(cat count)" -ge 2 ] && of_file '
        [.runs[0].results[] | select(.ruleId == "failed-forward")] |
        length >= 1 and all(.[]; (.relatedLocations | length == 1) and
            (.codeFlows == null) and
            .locations[0].physicalLocation.region.startLine == 12 and
            (.relatedLocations[0].physicalLocation.region.startLine |
                . == 14 or . == 15))' sarif
}
ok "a failed forward beside the chain is a result with its store" failed
ranked() {
    jq -c '[.loops[] | .cycles_share]' json >shares
    jq -c '[.runs[0].results[] | select(.rank) | .rank]' sarif >ranks
    cat shares ranks
    cmp shares ranks
}
ok "the rank of a loop is its share" ranked
ok "a path below the directory is relative, and encoded" of_file '
    .runs[0].originalUriBaseIds["%SRCROOT%"].uri as $base |
    ($base | startswith("file:///") and endswith("/")) and
    all(.runs[0].results[].locations[].physicalLocation.artifactLocation;
        .uri == "a%20b%23%25/viewed.c" and .uriBaseId == "%SRCROOT%")' sarif
elsewhere() {
    mkdir -p other && (cd other && report --format=sarif ../viewed &&
        of_file "all(.runs[0].results[].locations[].physicalLocation.artifactLocation;
            .uri == \"file://$tmp/a%20b%23%25/viewed.c\" and
            (has(\"uriBaseId\") | not))" out)
}
ok "a path elsewhere is absolute" elsewhere
no_lines() {
    "$compiler" -O1 -g0 -o plain 'a b#%/viewed.c' &&
        report --format=sarif plain && cp out plain.sarif && of_file '
        .runs[0].results | length >= 3 and
        all(.[].locations[0].physicalLocation;
            .artifactLocation.uri == "plain" and
            .address.absoluteAddress > 0 and (has("region") | not))' \
            plain.sarif
}
ok "a loop without lines is an address in its object" no_lines
ok "a report without a run has no ranks" of_file '
    all(.runs[0].results[]; has("rank") | not)' plain.sarif
none() {
    report --format=sarif --min-share=100 viewed deps.db &&
        of_file '.runs[0].results == []' out
}
ok "SARIF without a loop has no results" none
remarks() {
    report --format=remarks viewed deps.db && cp out viewed.yaml &&
        [ "$(grep -c '^--- !' out)" -eq 5 ] && [ "$(grep -c '^\.\.\.$' out)" -eq 5 ] &&
        [ "$(grep -c '^Name: FailedForward$' out)" -eq 2 ] &&
        sed -n '/^Name: LimitedByMemory/,/^\.\.\.$/p' out |
        grep "^DebugLoc: { File: '.*viewed.c', Line: 1[0-9], Column: 0 }$" &&
        grep "^  - Cycles: '21.00'$" out
}
ok "remarks have each loop, and each forward that fails" remarks
remarkutil=
for version in '' $(seq -f -%g 40 -1 15); do
    ! command -v "llvm-remarkutil$version" >/dev/null || remarkutil=llvm-remarkutil$version
done
near() {
    cat >near.c <<'END'
static volatile int ring[1000], table[4096];
__attribute__((noinline)) static int near(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        ring[i % 1000] = i;
        sum += ring[(i + 993) % 1000]; /* of seven stores before */
        sum += table[i * 7 % 4096];    /* of none */
    }
    return sum;
}
int main(void)
{
    return near(500000) == 1;
}
END
    "$compiler" -O1 -g -o near near.c &&
        records near.db --windows=512 ./near &&
        report --format=remarks near near.db &&
        grep -A8 -x 'Name: NoNearStore' out >free.yaml &&
        grep -q "near.c', Line: 9," free.yaml && ! grep -q "near.c', Line: 8," free.yaml &&
        report --format=json near near.db &&
        jq -e '.windows.stores_between | ."8" > 5 * (."1" + ."2" + ."4") and
            .more > 0.9 * ."8" and .more < 1.5 * ."8"' out
}
ok "remarks have the loads that need no store of the last ones" near
in_no_loop() {
    cat >pair.c <<'END'
static volatile long next;
__attribute__((noinline)) static long once(long x)
{
    long now = next;

    next = now * 3 + x;
    return now;
}
int main(void)
{
    long sum = 0;

    for (int i = 0; i < 100000; i++)
        sum ^= once(i);
    return sum == 1;
}
END
    "$compiler" -O1 -g -o pair pair.c &&
        records pair.db --windows=512 ./pair &&
        report --format=remarks pair pair.db &&
        grep -A9 -x 'Name: WaitsForStore' out >waits.yaml &&
        grep -q "^DebugLoc: .*pair.c', Line: 4," waits.yaml &&
        grep -q "^    DebugLoc: .*pair.c', Line: 6," waits.yaml &&
        grep -q "^  - Gain: '[1-9]" waits.yaml
}
ok "remarks have the pairs that cost much, also those in no loop" in_no_loop
# Each return address was stored long before.
no_returns() {
    cat >fill.c <<'END'
static volatile int ring[200];
__attribute__((noinline)) static void fill(int x)
{
    for (int i = 0; i < 200; i++)
        ring[i] = x;
}
int main(void)
{
    for (int i = 0; i < 2000; i++)
        fill(i);
    return 0;
}
END
    "$compiler" -O1 -g -o fill fill.c &&
        records fill.db --windows=512 ./fill &&
        report --format=remarks --function=fill fill fill.db &&
        ! grep 'Name: NoNearStore' out
}
ok "remarks leave out the loads of returns" no_returns
# counted: how many remarks does LLVM read?
counted() {
    "$remarkutil" yaml2bitstream viewed.yaml -o viewed.bitstream &&
        "$remarkutil" bitstream2yaml viewed.bitstream -o - >again.yaml && cat again.yaml &&
        [ "$(grep -c '^--- !' again.yaml)" -eq 5 ]
}
ok_if '[ -n "$remarkutil" ]' "there is no llvm-remarkutil" "LLVM reads the remarks" counted
# Debian's module is for Debian's python3, which need not come first in PATH.
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import sarif_om' 2>/dev/null || break
done
has_model='"$python" -c "import sarif_om"' no_model="there is no python3-sarif-python-om"
for file in sarif plain.sarif; do
    ok_if "$has_model" "$no_model" "$file has the keys of the standard" \
        "$python" "$srcdir/depbound/sarif.py" $file
done
bad_key() {
    jq '.runs[0].results[0].place = 1' sarif >bad.sarif
    status=0
    "$python" "$srcdir/depbound/sarif.py" bad.sarif || status=$?
    [ $status -eq 1 ]
}
ok_if "$has_model" "$no_model" "a key that the standard does not have is found" bad_key

# --- Callgrind ---

# costs FILE: the sum of all costs, and that after "totals:".
costs() {
    awk '/^(jump|jcnd)=/ { getline; next }
        /^0x/ && NF != 3 { print "no cost: " $0 }
        /^0x/ { sum += $3 }
        /^totals: / { total = $2 }
        END { printf "%d %d\n", sum, total }' "$1"
}
# sums FILTER FILE: are the costs the whole number next to this filter of the JSON
# report?
sums() {
    expected=$(jq "$1 | round" json)
    [ "$expected" -gt 100 ] && is "$expected $expected" costs "$2"
}
callgrind() {
    report --format=callgrind viewed deps.db && cp out callgrind.out
}
ok "depbound prints a file of Callgrind" callgrind
ok "the costs of a run are the cycles of the program" sums .program.cycles callgrind.out
jumps() {
    jq '[.loops[].dependencies[]] | length' json >expected
    report --format=callgrind --objects=main viewed deps.db
    grep -c '^jump=' out >actual
    [ "$(cat expected)" -ge 3 ] && cmp expected actual
}
ok "each dependency is a jump" jumps
# The jump leads to the load, and the line after it is the store.
leads() {
    from=$(jq -r '.loops[] | select(.function == "through_memory") |
        .dependencies[0] | "\(.from.address) \(.from.line) \(.to.address) \(.to.line)"' json |
        sed 's/viewed.c://g')
    awk '/^jump=/ { sub(/^jump=/, ""); n = $1; to = $2 " " $3; getline
        print n, $0, to }' callgrind.out | while read -r n a b c d; do
        echo "$((a)) $b $((c)) $d"
    done >found
    cat found
    echo "$from"
    grep -qxF "$from" found
}
ok "a jump leads from the store to the load" leads
static_costs() {
    report --format=json viewed && cp out json &&
        report --format=callgrind viewed && cp out static.out &&
        grep -qx 'events: CentiCycles' static.out &&
        sums '[.loops[].predicted * 100] | add' static.out
}
ok "without a run the costs are hundredths of a cycle of a round" static_costs

annotate=$(command -v callgrind_annotate)
# reads FILE: does callgrind_annotate read a file without a warning?
reads() {
    "$annotate" --threshold=100 "$1" >annotated 2>warnings
    cat annotated warnings
    [ ! -s warnings ] && [ -s annotated ]
}
# annotated TOTAL: does it say this total?
total() {
    sed -n 's/ (100\.0%)  PROGRAM TOTALS$//p' annotated | tr -d ' ,'
}
annotates() {
    reads callgrind.out && is "$(costs callgrind.out | cut -d' ' -f2)" total &&
        grep -q 'viewed.c:through_memory \[' annotated
}
recorded() {
    records windows.db --windows=100:500 --fn=main ./viewed &&
        report --format=json viewed windows.db && cp out json &&
        report --format=callgrind viewed windows.db && cp out windows.out &&
        jq -e '.program.by == "windows"' json && sums .program.cycles windows.out &&
        [ "$(grep -c '^jump=' windows.out)" -ge 3 ]
}
# by_function FILE FUNCTION...: does callgrind_annotate find the JSON report's cycles of
# these functions?
by_function() {
    reads "$1" && shift && for function; do
        expected=$(jq ".program.functions[] |
            select(.function == \"$function\") | .cycles | round" json)
        actual=$(sed -n "s/^ *\([0-9,]*\) .*viewed.c:$function .*/\1/p" \
            annotated | tr -d ,)
        # Rounding may move one cycle to the next line.
        [ "$expected" -gt 0 ] &&
            [ $((expected - actual)) -le 1 ] && [ $((actual - expected)) -le 1 ] ||
            { echo "$function: $actual, not $expected"; return 1; }
    done
}
no_annotate="there is no callgrind_annotate"
ok_if '[ -n "$annotate" ]' "$no_annotate" \
    "callgrind_annotate reads the file, with its total" annotates
ok_if '[ -n "$annotate" ]' "$no_annotate" \
    "callgrind_annotate reads a file without a run" reads static.out
both() {
    report --format=json viewed deps.db && cp out json &&
        by_function callgrind.out through_memory joined in_register &&
        report --format=json viewed windows.db && cp out json && by_function windows.out joined
}
ok "the costs of a run with windows are the cycles of the program by windows" recorded
ok_if '[ -n "$annotate" ]' "$no_annotate" \
    "callgrind_annotate has our cycles of each function" both
controls() {
    cp 'a b#%/viewed.c' "$(printf 'x\nfn=evil.c')" &&
        "$compiler" -O1 -g -o odd "$(printf 'x\nfn=evil.c')" &&
        report --format=callgrind odd && ! grep -q '^fn=evil' out &&
        report --format=sarif odd && of_file '
            .runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri
                == "x%0Afn%3Devil.c"' out
}
ok "a line break in the name of a file is no line of its own" controls

end_of_cases
