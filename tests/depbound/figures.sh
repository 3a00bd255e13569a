#!/bin/sh
# What depbound's figures rest on: machine files, runs of a loop, and llvm-mca.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

ok "depsim records and staticdeps predicts the dependencies of the loops" prepare_loops

# --- Machine files ---

ok "depbound refuses a processor without a machine file" \
    says "depbound: --cpu=nowhere: no such machine file; --cpu=help lists them" \
    --cpu=nowhere loops
ok "depbound refuses a machine file that does not exist" says \
    "depbound: ./nowhere.json: No such file or directory" \
    --cpu=./nowhere.json loops
echo '{"name": 1}' >wrong.json
ok "depbound refuses a machine file that is not valid" \
    refuses depbound wrong.json depbound --cpu=./wrong.json loops
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
        [ "$(sqlite3 cost.db "SELECT stands_for FROM report")" = \
            "$(jq -r .stands_for out)" ]
}
ok "each format says that figures are not of this processor" relative
lists_machines() {
    DEPBOUND_MACHINES=$tmp/strange ends 0 --cpu=help >/dev/null
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
    has "Guessed: the latenc.* of [0-9]* instructions*\."
}
ok "without a machine file the text says how many latencies are guessed" guesses
ok "without a machine file the page says how many latencies are guessed" guesses --format=html
knows() {
    ends 0 --cpu=znver4 --llvm-mca=none static.db >/dev/null
    ! grep Guessed out
}
ok "with a machine file no latency is called guessed" knows
ok "--calibrate takes no files" \
    says "depbound: loops: --calibrate takes no files" --calibrate loops
ok "--force is for --calibrate only" \
    says "depbound: --force: only with --calibrate" --force loops
ok "--wait is for --calibrate and --native only" \
    says "depbound: --wait: only with --calibrate or --native" --wait=5 loops
ok "--calibrate refuses an unwritable file before it measures" \
    refuses depbound nothing/none/x depbound --calibrate=nothing/none/x

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
    "$compiler" -O1 -g -o runs runs.c && records runs.db --objects=main ./runs &&
        holds '[.loops[] | {(.function): .predicted}] | add | .rows < 0.8 * .cell' \
            --min-share=0 runs.db runs
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
ok "without llvm-mca a machine file can say that units limit a loop" by_units

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
    holds "$1" --min-share=0 loops deps.db static.db
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
    ok "llvm-mca is asked again if the cache has the figure $figure" impossible_cache $figure
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

few() {
    cp deps.db few.db && sqlite3 few.db "UPDATE run SET recorded = 1, instructions = 1" &&
        ends 0 "$cpu" --llvm-mca=good/llvm-mca-x --format=json loops few.db \
            static.db && jq -e '.program | .unmodelled <= .instructions and
            .instructions >= ([.functions[].instructions] | add)' out
}
ok "a program executed no fewer instructions than its functions" few

# The real llvm-mca, if it is installed.
ends 0 --cpu=icelake-server --format=json --function=by_units loops static.db \
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
        "$mca" -mtriple=x86_64 -mcpu=icelake-server code.s >said || return
    said=$(sed -n 's/^Block RThroughput: *//p' said)
    echo "units $units; $mca $said"
    # llvm-mca rounds to tenths.
    awk -v a="$units" -v b="$said" \
        'BEGIN { exit !(b > 1 && a - b < 0.06 && b - a < 0.06) }'
}
ok_if '[ -n "$real" ]' "there is no llvm-mca of version 19 or newer" \
    "units are the Block RThroughput of llvm-mca itself" as_it_says

end_of_cases
