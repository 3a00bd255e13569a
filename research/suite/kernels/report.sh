# Makes tables of what research/run coverage measured.  It runs in the directory
# of the results and writes table.md, misses.md and misses.json.
#
# covcheck computes the sums over binaries: it gets the databases of all of them, or
# of those of one kernel, compiler or variant.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the question sets what this does not

. "$suite/misses.sh"

# From table 3 of the paper, in percent: cov_u and cov_w.
paper='{"inf": [38.1, 44.0], "1024": [57.6, 58.2], "512": [56.4, 63.5]}'
all=4294967295
powers=$(awk 'BEGIN { for (i = 20; i >= 0; i--) printf ",%d", 2 ^ i }')

# score FILE PATTERN OPTION...: covcheck's report on the scored binaries whose
# names match, with the filter of blocks and the bounds of the paper.  score_loop and
# score_walks use the predictions of --scope=loop and --scope=program.
score() {
    score_databases static.db "$@"
}
score_loop() {
    score_databases static.loop "$@"
}
score_walks() {
    score_databases static.walks "$@"
}
score_databases() {
    databases="--deps=runs/&/deps.db --static=predictions/&/$1"
    file=$2
    pattern=$3
    shift 3
    # shellcheck disable=SC2046
    "$root/scripts/run-in-tree" covcheck --format=json --min-weight=10 \
        --lifetime=inf,1024,512 "$@" \
        $(grep -e "$pattern" state/scored | sed "s|.*|$databases|") >"$file" ||
        fail "$file" "covcheck ended with status $?"
}

count() {
    wc -l <"state/$1"
}

# sort_out: notes which binaries were scored, and which did not stay in the cache.
sort_out() {
    done_of measure runs >state/done
    : >state/outside
    while read -r name; do
        if [ ! -e "runs/$name/deps.db" ]; then
            echo "$name $(cut -d ' ' -f 3 "runs/$name/cache")" >>state/outside
        fi
    done <state/done
    done_of predict predictions >state/scored
    [ -s state/scored ] || fail "$PWD" "no binary was measured"
}

# names kernel|compiler|variant: the names that were scored, in the order of the tables.
names() {
    case $1 in
    kernel) cut -d . -f 1 state/scored ;;
    compiler) cut -d . -f 2 state/scored | cut -d - -f 1 ;;
    variant)
        cut -d . -f 2 state/scored |
            awk 'NR == FNR { n[$1]; next } $1 in n { print $1 }' - state/variants
        ;;
    esac | awk '!n[$0]++'
}

# pattern kernel|compiler|variant NAME: what the names of its binaries match.
pattern() {
    case $1 in
    kernel) echo "^$2\\." ;;
    compiler) echo "\\.$2-" ;;
    variant) echo "\\.$2\$" ;;
    esac
}

score_all() {
    rm -rf scores
    mkdir -p scores/kernel scores/compiler scores/variant
    score scores/all.json . --lifetime="inf$powers"
    score misses.json . --lifetime=1024 --by=block --missed=$all --false=$all
    score scores/missed.json . --lifetime=inf --by=block --missed=$all
    score_loop scores/loop.json .
    score_loop scores/loop-1024.json . --lifetime=1024 --by=block --missed=$all \
        --false=$all
    jq '.objects[]' misses.json >scores/objects.json
    for scope in block function object; do
        score_walks scores/walks.json . --lifetime=1024 --scope=$scope --missed=$all
        jq 'del(.found_dependencies, .all_missed_dependencies)' scores/walks.json \
            >scores/walks-$scope.json
    done
    rm scores/walks.json
    for what in kernel compiler variant; do
        for name in $(names $what); do
            score "scores/$what/$name.json" "$(pattern $what "$name")"
        done
    done
}

# compare_distances: says how often the dependencies found at 1024 are as far apart as
# predicted.
compare_distances() {
    while read -r name; do
        (cd "predictions/$name" &&
            sqlite3 "../../runs/$name/deps.db" <"$suite/distances.sql")
    done <state/scored >state/distances
    jq -r '.found_dependencies[] | [.object, .src, .dst] | @tsv' \
        misses.json >state/found
    awk -F '\t' '
        NR == FNR { found[$1, $2, $3]; next }
        ($1, $2, $3) in found { n[$4]++ }
        END {
            printf "\nThe smallest distance of what was found at 1024, compared "
            printf "with the predicted one: equal %d, larger %d, smaller %d.\n",
                n["equal"], n["larger"], n["smaller"]
        }' state/found state/distances
}

describe_machine() {
    describe_processor
    echo "- system: $(uname -sr)"
    for compiler in $(cut -d ' ' -f 3 state/variants | sort -u); do
        echo "- $compiler: $("$compiler" --version | sed q)"
    done
    describe_tools
}

describe_binaries() {
    cat <<END
| binaries | number |
|---|--:|
| kernels × variants | $(count build) |
| failed | $(count failed) |
| the same code as another variant of the kernel | $(count same) |
| more than 15 % misses in a warm first-level cache | $(count outside) |
| scored | $(count scored) |
| of these with a dependency to score at 1024 | $(
        make '[.objects[].lifetimes | at(1024).cov_u | values] | length' \
            scores/all.json) |
| of these with figures that no other variant of the kernel has | $(
        make '[.objects[] | select(.lifetimes | at(1024).cov_u) |
            [(.path | split("/")[-1]), .lifetimes]] | unique | length' \
            scores/all.json) |
END
    [ ! -s state/outside ] || awk '
        { printf "%s%s (%s %%)", (NR > 1 ? ", " : "\nMore misses: "), $1, $2 }
        END { print "." }' state/outside
    [ ! -s state/failed ] || sed 's/^/\n    /' state/failed
}

# figures BOUNDS AT_1024: the files with the scores.
figures() {
    cat <<'END'
| lifetime bound | found | missed | cov_u | cov_w | paper's cov_u | paper's cov_w |
|--:|--:|--:|--:|--:|--:|--:|
END
    make "against($paper)" "$1"
    make '"", "Precision \(.precision | percent) % (\(.predictions.occurred) of " +
        "\(.predictions.judged) predictions), delta-k agreement at 1024 " +
        "\(.delta_k_agreement | percent) %."' "$2"
}

# by_place PLACES: the file with the rows.
by_place() {
    say 'By where the block lies, at 1024:'
    columns lr 'blocks | number | predictions | occurred | precision | found | missed | cov_u | cov_w | delta-k agreement'
    cat "$1"
}

compare() {
    echo
    figures scores/all.json misses.json
    results_only details
}

# details: the figures of loops and of other blocks, those with another scope, means, those
# of parts of the suite, and what is beyond the block.
details() {
    by_place state/evidence.1024/places
    compare_distances
    cat <<'END'

With `staticdeps --scope=loop`:

END
    figures scores/loop.json scores/loop-1024.json
    by_place state/evidence.loop/places
    columns lr 'mean over the binaries | none | 1024 | 512'
    for figure in cov_u cov_w; do
        make "[\"$figure\"] + means(\"$figure\") | row" scores/all.json
    done
    say 'By parts of the suite, at 1024:'
    columns lr 'part | binaries | found | missed | cov_u | cov_w | predictions | occurred | precision'
    make parts misses.json
    say 'Where both ends lie, in percent of all occurrences:'
    columns r 'lifetime bound | one block | one function | two functions | elsewhere | occurrences'
    make scopes scores/all.json
}

# by WHAT: a row for each.
by() {
    say "By $1, with what is found and missed at 1024, and cov_u (u) and cov_w (w):"
    columns lr "$1 | binaries | found | missed | u, none | w, none | u, 1024 | w, 1024 | u, 512 | w, 512 | precision | delta k"
    for name in $(names "$1"); do
        make 'group($name; (.objects | length); $objects | agreement($pattern))' \
            --arg name "$name" --arg pattern "$(pattern "$1" "$name")" \
            --slurpfile objects scores/objects.json "scores/$1/$name.json"
    done
}

# wider: the tables of what walks find, at all scopes.
wider() {
    say 'What `staticdeps --scope=program` finds by walks, at 1024: the sums over the binaries,
the means over those with data, and the share of all that occurred that is scored:'
    columns lr 'scope | found | missed | cov_u | cov_w | precision | mean cov_u | mean cov_w | mean precision | share'
    for scope in block function object; do
        make 'walks($scope)' --arg scope $scope scores/walks-$scope.json
    done
    say 'The goals, for means over the binaries within one function:'
    columns lrrl 'figure | goal | is | reached'
    make goals scores/walks-function.json
}

# walks_by_part: what they find in each variant, and in each kernel.
walks_by_part() {
    for what in variant kernel; do
        say "Walks by $what, within one function and within the file, at 1024:"
        columns lr "$what | binaries | function: found | missed | cov_u | cov_w | precision | object: found | missed | cov_u | cov_w | precision"
        for name in $(names $what); do
            make 'walks_of($name; $pattern; $object[0])' --arg name "$name" \
                --arg pattern "$(pattern $what "$name")" \
                --slurpfile object scores/walks-object.json \
                scores/walks-function.json
        done
    done
}

sort_out
score_all
"$suite/evidence"
{
    describe_machine
    echo
    describe_binaries
    compare
    wider
    for table in walks_by_part 'by compiler' 'by variant' 'by kernel'; do
        # shellcheck disable=SC2086 # with its argument
        results_only $table
    done
} >table.md
describe_misses >misses.md
