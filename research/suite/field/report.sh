# Makes the table of what research/run field measured.  It runs in the directory of the
# results and writes field.md, and what it needs of covcheck's reports into field/.
# $table has the programs, as suite/programs/list does, and $list their kinds.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the question sets what this does not

# score KIND NAME DATABASE RUNS: what covcheck says, without weights, of the predictions
# in DATABASE and the runs whose numbers match: its report into field/NAME/KIND, and the
# pairs of one object that did not occur into field/NAME/KIND.false.
score() {
    deps=$(sed -n "s|^$2\.$4\$|--deps=runs/&/deps.db|p" state/ran)
    # shellcheck disable=SC2086
    "$root/scripts/run-in-tree" covcheck --format=json --min-share=0 --scope=object \
        --lifetime=1024,65536,inf --false=all $deps --static="$3" >state/report ||
        fail "$2/$1" "covcheck ended with status $?"
    jq '{by_scope, missed_reasons}' state/report >"field/$2/$1"
    jq -r '.false_predictions[]
        | "\(.object) \(.src.address) \(.dst.address) \(.delta_k)"' state/report |
        sort >"field/$2/$1.false"
}

# gather NAME HALF PACKAGE: all that is known of a program, as report.jq says.
gather() {
    static=predictions/$1/static.walks
    mkdir -p "field/$1"
    cp "$static" state/walked
    sqlite3 state/walked "DELETE FROM dep WHERE evidence = 'flow'"
    score both "$1" "$static" '.*'
    score first "$1" "$static" 1
    score walked "$1" state/walked '.*'
    rm state/report state/walked
    predicted=$(sqlite3 "$static" "SELECT count(*) FROM dep WHERE scope <> 'program'")
    neither=$(comm -12 "field/$1/first.false" "field/$1/both.false" | wc -l)
    kind=$(awk -v name="$1" '$1 == name { print $2 }' "$list")
    # shellcheck disable=SC2016
    version=$(dpkg-query -W -f '${Version}' "$3" 2>/dev/null) || :
    # shellcheck disable=SC2016
    jq -n --arg name "$1" --arg half "$2" --arg kind "$kind" \
        --arg package "$3${version:+ $version}" --argjson predicted "$predicted" \
        --argjson neither "$neither" \
        --slurpfile cost "predictions/$1/cost" --slurpfile both "field/$1/both" \
        --slurpfile first "field/$1/first" --slurpfile walked "field/$1/walked" \
        '{$name, $half, $kind, $package, $predicted, $neither, seconds: $cost[0],
          kib: $cost[1], code: $cost[2], both: $both[0], first: $first[0],
          walked: $walked[0]}' >"field/$1.json"
}

# rows FILTER: by report.jq, of all programs.
rows() {
    # shellcheck disable=SC2046
    make "$1" -s $(programs | cut -f 1 | grep -xF -f state/scored |
        sed 's|.*|field/&.json|')
}

# published: rows of what others published.  A tool reports the pairs that it does not
# miss, and those that did not occur.
published() {
    awk -F "$tab" '!/^#/ {
        reported = $3 - $4 + $5
        printf "| %s | %s | %d | %d | %.1f | %d | %d | %.1f | %s |\n", $1, $2, $3, $4,
            100 * $4 / $3, reported, $5, 100 * $5 / reported, $6
    }' "$suite/published.tsv"
}

by_input() {
    say 'Of the predicted pairs whose ends ran in the first run: those that occurred in it, those
that only the second input showed, and those that neither did:'
    columns lr 'program | occurred | only with the second input | neither'
    rows by_input
}

why_missed() {
    cat <<'END'

Why they are missed, at any distance: the share of each reason in percent.

END
    rows reasons
}

tables() {
    describe_processor
    describe_tools
    echo "- programs: $(programs | wc -l), scored: $(wc -l <state/scored)"
    [ ! -s state/failed ] || sed 's/^/\n    /' state/failed
    say 'Pairs whose two ends lie in one object, with both inputs as the truth: those that
occurred, and how many of them are missed; those that are predicted and whose two ends
ran, and how many of them are not observed; the share that would seem so with the first
input alone; the predictions with an end that did not run, which nothing judges; the
seconds of one processor and the MiB of `staticdeps --scope=program`:'
    columns lllr 'program | kind | package | code, kB | observed | missed | in percent | predicted | not observed | in percent | with one input | did not run | seconds | MiB'
    rows by_program
    results_only by_input
    say 'By scope, with and without reaching definitions: means over the programs, in percent:'
    columns lr 'scope | missed | without | not observed | without'
    rows by_scope
    say 'The missed pairs within one object in percent, if only those count that occur within this
number of instructions:'
    columns lr 'program | 1024 | 65536 | any'
    rows by_bound
    results_only why_missed
    say 'What others published:'
    columns llrrrrrrl 'tool | program | observed | missed | in percent | reported | not observed | in percent | source'
    published
}

done_of run-program runs >state/ran
done_of predict-program predictions >state/scored
[ -s state/scored ] || fail "$PWD" "no program was measured"
rm -rf field
mkdir field
programs | while IFS=$tab read -r name half package _; do
    ! grep -qxF "$name" state/scored || gather "$name" "$half" "$package" </dev/null
done
tables >field.md
