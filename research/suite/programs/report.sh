# Makes tables of what research/run programs measured.  It runs in the directory of
# the results, writes table.md and misses.md, and covcheck's reports, without their
# long lists, into scores/.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the question sets what this does not

# Which blocks are kept: the threshold in percent of the heaviest block of an
# object.  At the paper's 10, hardly a block of a program with more than one loop is
# kept.
threshold=1

# sort_out: notes which programs can be scored, with all of their inputs.
sort_out() {
    done_of run-program runs >state/ran
    done_of predict-program predictions >state/scored
    [ -s state/scored ] || fail "$PWD" "no program was measured"
}

# score KIND NAME DATABASE RUNS OPTION...: writes covcheck's report on a program, of
# the predictions in DATABASE and the runs whose numbers match, into scores/NAME/KIND.
score() {
    file=scores/$2/$1
    static=$3
    deps=$(sed -n "s|^$2\.$4\$|--deps=runs/&/deps.db|p" state/ran)
    shift 4
    # shellcheck disable=SC2086
    "$root/scripts/run-in-tree" covcheck --format=json --min-weight=$threshold \
        --lifetime=1024,inf "$@" $deps --static="$static" >state/report ||
        fail "$file" "covcheck ended with status $?"
    jq 'del(.found_dependencies, .all_missed_dependencies)' state/report >"$file"
}

# gather NAME HALF PACKAGE LIBRARIES: all that is known of a program, as report.jq
# says, into scores/NAME.json.
gather() {
    mkdir -p "scores/$1"
    walks=predictions/$1/static.walks
    cp "$walks" state/walked
    sqlite3 state/walked "DELETE FROM dep WHERE evidence = 'flow'"
    score both "$1" "$walks" '.*' --missed=20
    score function "$1" "$walks" '.*' --scope=function
    score first "$1" "$walks" 1
    score every "$1" "$walks" '.*' --min-weight=0 --lifetime=inf
    score walked "$1" state/walked '.*'
    score block "$1" "predictions/$1/static.db" '.*'
    score loop "$1" "predictions/$1/static.loop" '.*'
    score alone "$1" "predictions/$1/static.function" '.*'
    rm state/walked
    # shellcheck disable=SC2016
    version=$(dpkg-query -W -f '${Version}' "$3" 2>/dev/null) || :
    for run in $(grep "^$1\.[0-9]*$" state/ran); do
        sqlite3 "runs/$run/deps.db" 'SELECT sum(instructions) FROM run'
    done >state/instructions
    name=$1
    set -- --arg name "$1" --arg half "$2" --arg libraries "$4" \
        --arg package "$3${version:+ $version}" \
        --slurpfile runs state/instructions --slurpfile cost "predictions/$1/cost"
    for kind in both function first every walked block loop alone; do
        set -- "$@" --slurpfile $kind "scores/$name/$kind"
    done
    # shellcheck disable=SC2016
    jq -n "$@" '{$name, $half, $package, $libraries, $runs, seconds: $cost[0],
        kib: $cost[1], code: $cost[2], both: $both[0], function: $function[0],
        first: $first[0], every: $every[0], walked: $walked[0], block: $block[0],
        loop: $loop[0], alone: $alone[0]}' >"scores/$name.json"
}

# half NAME FILTER: rows by report.jq of the programs of a half, or of all.
half() {
    files=$(programs | awk -F "$tab" -v half="$1" '
        NR == FNR { scored[$1]; next }
        (half == "all" || $2 == half) && $1 in scored { print "scores/" $1 ".json" }
        ' state/scored -)
    # shellcheck disable=SC2086
    [ -z "$files" ] || make "$2" -s $files
}

describe() {
    describe_processor
    describe_tools
    echo "- programs: $(programs | wc -l), scored: $(wc -l <state/scored)"
    echo "- blocks kept: those that ran at least $threshold % as often as the" \
        "heaviest one of their object"
    [ ! -s state/failed ] || sed 's/^/\n    /' state/failed
}

by_half() {
    for half in report tune; do
        case $half in
        report) echo "The half that is only reported, at 1024, with both inputs as" \
            "the truth:" ;;
        tune) echo "The half for tuning:" ;;
        esac
        columns llr 'program | package | block: u | w | precision | function: u | w | precision | object: u | w | precision | program: u | w | precision'
        half $half by_program
        echo
    done
}

tables() {
    say 'By half and scope: means over the programs, of `--scope=program`, and in the last row
of each half of `--scope=function`. The last two columns are the precision if only the
first input is the truth, and the share of all that occurred within 1024 instructions,
in whatever file, that is scored:'
    columns llr 'half | scope | programs | cov_u | cov_w | precision | with one input | share'
    half all halves
    say 'The goals, for the half that is only reported:'
    columns llrrl 'scope | figure | goal | is | reached'
    half all goals
    results_only details
}

details() {
    say 'With and without reaching definitions, at 1024: means over the programs, those without
them in the second column of each figure:'
    columns llr 'half | scope | cov_u | without | cov_w | without | precision | without'
    half all without_flow
    say 'By kind of evidence, at 1024, added up over the programs: the pairs found, the share of
the occurrences of all that is found, the predictions whose ends ran, and their
precision:'
    columns lllr 'half | scope | evidence | found | share | predictions | precision'
    half all by_evidence
    echo
    by_half
    cat <<'END'
What these figures are about: the instructions of the runs; the bytes of code in kB;
the seconds of one processor and the MiB of `staticdeps --scope=program`; the blocks
kept; how much of all that occurred within 1024 is scored (share), in percent; and the
precision with one input and with both:

| program | run 1 | run 2 | code | seconds | MiB | blocks | share: block | function | object | function: one | both | object: one | both |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
END
    half all about
    cat <<'END'

Pairs within one block, by what predicts them: the paper's heuristic, that with
`--scope=loop`, and walks. Means over the programs, and the sums of what is found and
missed at 1024:
END
    columns llr 'half | analysis | cov_u | cov_w | precision | found | missed'
    half all within_blocks
}

# misses HALF SCOPE: why pairs were missed.
misses() {
    cat <<END

Missed at 1024 within one $2, half "$1", and the share of each reason in
percent, of the dependencies and of their occurrences:

END
    half "$1" "reasons(\"$2\")"
}

largest_misses() {
    say 'The missed dependencies with the largest shares of all that occurs within 1024 in their
program, in percent: up to three of each program, from 0.3 % on:'
    columns lrllllr 'program | share | scope | reason | store | load | least distance'
    half all 'largest(3; 0.3)'
}

describe_misses() {
    misses report object | sed 1d
    results_only misses report function
    results_only misses tune object
    results_only misses tune function
    results_only largest_misses
}

sort_out
rm -rf scores
mkdir scores
programs | while IFS=$tab read -r name half package libraries; do
    ! grep -qxF "$name" state/scored ||
        gather "$name" "$half" "$package" "$libraries" </dev/null
done
{
    describe
    tables
} >table.md
describe_misses >misses.md
