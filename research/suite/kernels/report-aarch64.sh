# Makes table.md of what research/run coverage --arch=aarch64 measured: one compiler's
# kernels on two architectures, side by side.  It runs in the directory of the results.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the question sets what this does not

# score FILE PREDICTIONS SCOPE PATTERN: covcheck's report at 1024, on the scored
# binaries whose names match.
score() {
    databases="--deps=runs/&/deps.db --static=predictions/&/$2"
    # shellcheck disable=SC2046
    "$root/scripts/run-in-tree" covcheck --format=json --min-weight=10 --lifetime=1024 \
        --scope="$3" $(grep -e "$4" state/scored | sed "s|.*|$databases|") >"$1" ||
        fail "$1" "covcheck ended with status $?"
}

# What is scored: a title, the predictions, the scope.
views='the block alone:static.db:block
with the enclosing loop:static.loop:block
walks, one block:static.walks:block
walks, one function:static.walks:function
walks, the file:static.walks:object'

done_of predict predictions >state/scored
rm -rf scores
mkdir -p scores
arches=$(cut -d . -f 2 state/scored | cut -d - -f 1 | sort -ur)
for arch in $arches; do
    echo "$views" | while IFS=: read -r _ predictions scope; do
        score "scores/$arch.$predictions.$scope.json" "$predictions" "$scope" \
            "\\.$arch-"
    done
done

# number PLAN ARCHITECTURE: lines of a plan or list that are of the architecture.
number() {
    grep -c "\\.$2-" "state/$1" || :
}

describe() {
    describe_processor
    for compiler in $(cut -d ' ' -f 3 state/variants | sort -u); do
        echo "- $compiler: $("$compiler" --version | sed q)"
    done
    describe_tools
    columns lr 'binaries | kernels × variants | failed | the same code as another variant | scored'
    for arch in $arches; do
        echo "| $arch | $(number build "$arch") | $(number failed "$arch") |" \
            "$(number same "$arch") | $(number scored "$arch") |"
    done
    [ ! -s state/failed ] || sed 's/^/\n    /' state/failed
}

compare() {
    say 'What was found at 1024, by what staticdeps looked at: sums over the binaries, means over
those with data, and the share of all that occurred that is scored:'
    columns llr 'analysis | architecture | found | missed | cov_u | cov_w | precision | mean cov_u | mean cov_w | mean precision | share'
    echo "$views" | while IFS=: read -r title predictions scope; do
        for arch in $arches; do
            make 'walks($scope)' --arg scope "$title | $arch" \
                "scores/$arch.$predictions.$scope.json"
        done
    done
}

# cells VIEW NAME: what one kernel, or variant, has on each architecture.
cells() {
    for arch in $arches; do
        make 'sums($pattern) | [.[3:][] | if . == "" then "-" else . end] | join(" | ")' \
            --arg pattern "$2" "scores/$arch.$1.json"
    done | paste -s -d '|' | sed 's/|/ | /g; s/ *| */ | /g'
}

# by WHAT: for each name and pattern on standard input, a row with the block alone and for walks in a function.
by() {
    what=$1
    cat <<END2

By $what, at 1024: cov_u, cov_w and precision of the block alone, and of walks within a
function:

END2
    heads='' line=''
    for view in block function; do
        for arch in $arches; do
            heads="$heads $view, $arch: cov_u | cov_w | precision |"
            line="$line--:|--:|--:|"
        done
    done
    echo "| $what |$heads"
    echo "|---|$line"
    shift
    while read -r name pattern; do
        echo "| $name | $(cells static.db.block "$pattern") |" \
            "$(cells static.walks.function "$pattern") |"
    done
}

{
    describe
    results_only compare
    cut -d . -f 2 state/scored | cut -d - -f 2 | sort -u |
        sed 's/.*/& -&$/' | by level
    cut -d . -f 1 state/scored | awk '!n[$0]++' | sed 's/.*/& ^&\\./' |
        results_only by kernel
} >table.md
