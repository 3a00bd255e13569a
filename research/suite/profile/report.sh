# Makes tables of what research/run profile measured and predicted.  It runs in the
# directory of the results, and writes profile.db and table.md.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the question sets what this does not

db() {
    sqlite3 -bail profile.db "$@"
}

# named FILTER PLACE FILE...: the lines of these files of each job that is done, after
# its name without its number, and the file's.
named() {
    filter=$1
    place=$2
    shift 2
    while read -r job; do
        for file; do
            sed -n "$filter" "$place/$job/$file" |
                sed "s/^/${job%.*}$tab$file$tab/"
        done
    done <state/predicted
}

# said FILTER: the rows that a filter of jq makes of depbound's reports.
said() {
    while read -r job; do
        jq -r --arg name "${job%.*}" "$1 | [\$name, .[]] | @tsv" \
            "predictions/$job/windows.json"
    done <state/predicted
}

gather() {
    done_of predict predictions >state/predicted
    [ -s state/predicted ] || fail "$PWD" "no program was measured and predicted"
    # shellcheck disable=SC2046 # numbers
    set -- $(seq "$(cat state/runs)")
    named 's/^time\t//p' measured "$@" >state/times
    named 's/^quiet\t//p' measured "$@" >state/quiet
    set -- sampled.1 sampled.2 sampled.3 sampled.4
    named 's/^kernel\t//p' measured "$@" >state/kernel
    named 's/^sample\t//p; s/^other$/[anonymous]\t/p' measured "$@" >state/samples
    named p predictions blocks >state/blocks
    programs | while IFS=$tab read -r name half package _; do
        # shellcheck disable=SC2016 # dpkg's
        printf '%s\t%s\t%s\n' "$name" "$half" "$package $(
            dpkg-query -W -f '${Version}' "$package" 2>/dev/null || :
        )"
    done >state/packages
    said '[.executed, (.program | .likely // .cycles, .cycles, .least // .low, .most // .high), .instructions, .cycles,
        .causes.misprediction, .first_touches]' >state/programs
    said '.program.functions[] | [.object, .function, .cycles]' >state/functions
    # The cause that is named first, the load or function with it, and the load's place.
    # shellcheck disable=SC2016 # jq's
    said 'def number: explode | reduce .[] as $c (0; 16 * . + $c - if $c < 58 then 48 else 87 end);
        def words($part): (.verdict // "nothing") | gsub("\\|"; "/") |
            gsub(" of the program.s cycles"; "") | capture("(^|\\n)" + $part) // {};
        words("first: (?<cause>.*?)(\\n|$)") as $first | words("(?<line>.*?)(\\n|$)") as $line |
        words(" *(?<share>[0-9.]+ %) for the load at (?<place>[^ ]*?)(:| |$)") as $load |
        words("Most cycles: (?<where>.*?), in .*?, (?<share>[0-9.]+ %)(\\n|$)") as $most |
        ($load.place // "" | capture("^(?<file>.*)[+]0x(?<hex>[0-9a-f]+)$") // {}) as $at |
        [$first.cause // $line.line,
            if $load.place then "the load at \($load.place), \($load.share)"
            elif $most.where then "\($most.where), \($most.share)" else "-" end,
            $at.file, ($at.hex // "" | if . == "" then null else number end)]' >state/verdicts
    rm -f profile.db
    db ".read $suite/gather.sql"
}

# versions: of the machine file and llvm-mca, as a report has them.
versions() {
    read -r job <state/predicted
    jq -r '"- machine file: \(.machine); llvm-mca: \(.llvm_mca)"' \
        "predictions/$job/windows.json"
}

tables() {
    say 'Cycles of the process, without those of the kernel, in billions:'
    columns llrrrrrrrlr 'program | package | instructions | measured | spread, % | quiet, % | predicted | its interval | error, % | in the interval? | mispredictions, % | first touches | missing for each | kernel, %'
    db "SELECT printf('| %s | %s | %.2f | %.2f | %.1f | %.1f | %.2f | %s | %+.1f | %s |' ||
            ' %.0f | %.1f | %.0f | %.1f |', name, package, executed / 1e9, measured / 1e9,
            100 * spread, 100 * quiet, predicted / 1e9,
            iif(low IS NULL, 'unknown', printf('%.2f to %.2f', low / 1e9, high / 1e9)),
            100 * error, iif(measured BETWEEN low AND high, 'yes', 'no'),
            100 * misprediction, touches,
            (measured - predicted) / (touches / 1000 * executed), 100 * kernel)
        FROM total ORDER BY abs(error)"
    db "SELECT printf('| mean of %d %s, without signs | | | | %.1f | %.1f | | | %.1f | %d yes |' ||
            ' %.0f | %.1f | | %.1f |', count(*), set_, 100 * avg(spread), 100 * avg(quiet),
            100 * avg(abs(error)),
            sum(measured BETWEEN low AND high), 100 * avg(misprediction), avg(touches),
            100 * avg(kernel))
        FROM (SELECT *, 3 AS sort, 'in all' AS set_ FROM total UNION ALL
            SELECT *, half = 'report', iif(half = 'tune', 'for tuning', 'others') FROM total)
        GROUP BY sort ORDER BY sort"
    say "$(db "SELECT printf('A run that always found its core disturbed at the end of a slice' ||
            ' would take %.0f %% more cycles%sthan one that never did, by the %d runs, of whose' ||
            ' differences this explains %.0f %%.%sWithout that correction the mean error would' ||
            ' be %.1f %%.', 100 * (exp(slope) - 1), char(10), n, 100 * explained, char(10),
            (SELECT 100 * avg(abs(predicted / uncorrected - 1)) FROM total))
        FROM disturbed")"
    say 'What model_error of the machine file would say, by the programs of which the kernel has
less than a tenth of the time:'
    say ''
    db "WITH of_each AS (SELECT ln(measured / modelled) AS off FROM total
            WHERE kernel < 0.1),
            mean AS (SELECT count(*) AS n, avg(off) AS off FROM of_each)
        SELECT printf('    \"model_error\": {\"programs\": %d, \"factor\": %.3f,' ||
            ' \"spread\": %.3f}', n, exp(mean.off),
            sqrt(sum(pow(of_each.off - mean.off, 2)) / max(n - 1, 1)))
        FROM of_each, mean"
    say "$(db "SELECT printf('Of the shares of %d programs'' functions, tau is %.2f in the mean, %.2f' ||
            ' between halves%sof the samples, and %.1f %% of the time differ.', count(*),
            avg(tau), avg(itself), char(10), 100 * avg(differ)) FROM ordered")"
    results_only shares
    results_only named_first
    results_only most_different
}

# if_any COLUMN: SQL that makes a text of a figure with two places.
if_any() {
    echo "iif($1 IS NULL, '-', printf('%.2f', $1))"
}

shares() {
    say 'Shares of functions, of all samples and of the predicted cycles, in percent:'
    columns lrrrrrlr "program | samples | functions | Kendall's tau | of samples with samples | shares that differ | hottest function | measured | predicted"
    db "SELECT printf('| %s | %d | %d | %s | %s | %.1f | %s | %.1f | %.1f |', name, samples,
            functions, $(if_any tau), $(if_any itself), 100 * differ, hottest,
            100 * hottest_measured, 100 * hottest_predicted)
        FROM ordered ORDER BY differ"
}

named_first() {
    say 'What the report names first, how many of all samples lie in the 16 bytes from that load
on, and the function that most samples lie in, in percent:'
    columns lllrlr 'program | first cause | first load, or function | samples there | hottest function | samples'
    db "SELECT printf('| %s | %s | %s | %s | %s | %.1f |', name, cause, place,
            iif(there IS NULL, '-', printf('%.1f', 100 * there)), hottest, 100 * hottest_measured)
        FROM ordered"
}

most_different() {
    say 'The functions whose shares differ most, by at least 5 points:'
    columns lllr 'program | function | file | measured | predicted'
    db "SELECT printf('| %s | %s | %s | %.1f | %.1f |', name, called, file,
            100 * measured, 100 * predicted) FROM share
        WHERE abs(measured - predicted) >= 0.05
        ORDER BY abs(measured - predicted) DESC LIMIT 15"
}

gather
{
    describe_processor
    describe_tools
    versions
    [ ! -s state/failed ] || sed 's/^/\n    /' state/failed
    tables
} >table.md
