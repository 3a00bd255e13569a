#!/bin/sh
# research/run programs on a few programs: what it writes, what it repeats, and what
# it says of programs that fail.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
question=programs

# row TEXT: has the table a row that begins with this text?
row() {
    grep -F -e "| $1 |" results/table.md || { cat results/table.md; return 1; }
}

ok "a program with pairs of all scopes is built" make_pairs
cat >programs <<END
# A comment.

pairs   report  none  -
    0  $tmp/pairs
    0  $tmp/pairs x
END
ok "a run of one program succeeds" ends 0 --programs=programs

# verdict NAME DATABASE SCOPE RUNS OPTION...: covcheck's report on the runs whose numbers
# match RUNS.
verdict() {
    name=$1 database=$2 scope_of=$3 runs=$4
    shift 4
    "$root/scripts/run-in-tree" covcheck --format=json --min-weight=1 --lifetime=1024 \
        --scope="$scope_of" $(printf -- '--deps=%s/deps.db\n' results/runs/$name.$runs) \
        --static="results/predictions/$name/$database" "$@"
}

# figures NAME DATABASE SCOPE RUNS OPTION...: cov_u, cov_w and precision.
figures() {
    verdict "$@" |
        jq -r '[.lifetimes[0].cov_u, .lifetimes[0].cov_w, .precision] |
            map(if . then . * 10 | round | "\(. / 10 | floor).\(. % 10)" else "" end)
            | join(" | ")'
}

# tally NAME DATABASE: how many pairs are found within one object.
tally() {
    verdict "$1" "$2" object '*' | jq '.lifetimes[0].found'
}

# of_scopes NAME: the figures of the three scopes of walks.
of_scopes() {
    for scope in block function object; do
        printf ' | %s' "$(figures "$1" static.walks $scope '*')"
    done
}
ok "the figures of a program are those of covcheck" row "pairs | none$(of_scopes pairs)"
ok "the mean of a half with one program is that program" row "mean | $(of_scopes pairs)"
ok "the table of means has that program" row "report | function | 1 | $(
    figures pairs static.walks function '*') | $(
    figures pairs static.walks function 1 | sed 's/.* //')"
less_with_one() {
    awk -v one="$(figures pairs static.walks function 1 | sed 's/.* //')" \
        -v both="$(figures pairs static.walks function '*' | sed 's/.* //')" \
        'BEGIN { print one, both; exit !(one < both) }'
}
ok "a prediction that only the second input shows is false with the first" less_with_one
ok "the table has the paper's pairs within a block" row "report | block | $(
    figures pairs static.db block '*')"
ok "the table of programs has the goals" \
    grep -E '^\| object \| precision \| 90 \| [0-9.]+ \| (yes|\*\*no\*\*) \|$' \
    results/table.md
# unbounded: each pair counts once, at any distance.
unbounded() {
    goal=$(figures pairs static.walks object '*' --min-weight=0 --lifetime=inf |
        sed 's/ .*//')
    row "object, without bounds and weights | cov_u | 92 | $goal"
}
ok "the table has the figures without bounds and weights" unbounded
# walked NAME: leaves the predictions without the pairs of reaching definitions.
walked() {
    cp "results/predictions/$1/static.walks" "results/predictions/$1/walked"
    sqlite3 "results/predictions/$1/walked" "DELETE FROM dep WHERE evidence = 'flow'"
}
without_flow() {
    walked pairs
    for scope in block function object; do
        row "report | $scope | $(echo "$(figures pairs static.walks $scope '*') | $(
            figures pairs walked $scope '*')" | awk -F ' [|] ' -v OFS=' | ' \
            '{ print $1, $4, $2, $5, $3, $6 }')" || return
    done
}
ok "the table has what is found without reaching definitions" without_flow
ok "the table has the instructions of each run" row "pairs | $(
    sqlite3 results/runs/pairs.1/deps.db 'SELECT instructions FROM run') | $(
    sqlite3 results/runs/pairs.2/deps.db 'SELECT instructions FROM run')"

cat >>programs <<END
gzip    tune    gzip  -
    0  gzip -c words.py
    0  gzip -1 -c words.pl
bzip2   tune    bzip2  libbz2
    0  bzip2 -c words.py
expr    report  coreutils  -
    1  expr 1 - 1
END
ok "a run with three more programs succeeds" ends 0 --programs=programs
ok "only the programs that were added are run" says "run-program: 4 of 6 to do"
ok "the figures of a packaged program are those of covcheck" \
    row "gzip | gzip $(dpkg-query -W -f '${Version}' gzip
    )$(of_scopes gzip)"
ok "the half for tuning has a row" \
    [ "$(sed '/^The half for tuning/,/^| mean/!d' \
    results/table.md | grep -c '^| \(gzip\|bzip2\)')" -eq 2 ]
ok "the analysis of a program includes its library" \
    [ "$(sqlite3 results/predictions/bzip2/static.db \
    'SELECT count(*) FROM object')" -eq 2 ]
# by_evidence: the pairs of each kind of evidence, added up over the programs for tuning.
by_evidence() {
    walk=0 both=0
    for name in gzip bzip2; do
        walked $name
        walk=$((walk + $(tally $name walked)))
        both=$((both + $(tally $name static.walks)))
    done
    row "tune | object | walk | $walk" && row "tune | object | flow | $((both - walk))"
}
ok "the table has what each kind of evidence brings" by_evidence
rm -f results/predictions/*/walked
ok "the table of misses has their reasons" \
    grep -E '^\| (gzip|bzip2) \| [1-9][0-9]* \| ' results/misses.md
# largest_misses: the table has rows of misses only; it may have none.
largest_misses() {
    awk '
        /^\| program \| share \| scope \| reason / { table = 1; next }
        table && /^\|/ && !/^\|-/ && !/^\| [a-z0-9]+ \| [0-9.]+ \| [a-z]+ \| [a-z-]+ \| `/ {
            other = 1
        }
        END { exit !table || other }' results/misses.md
}
ok "the table has the largest misses" largest_misses

# Another build of the program.
make_pairs 1001
mkdir doc
for page in results misses; do
    printf '%s\n' text '<!-- research/run programs -->' replaced \
        '<!-- end of research/run programs -->' >doc/$page.md
done
ok "a run after a change succeeds" ends 0 --programs=programs --doc=doc
ok "a program that changed is run again" says "run-program: 2 of 6 to do"
ok "only the changed program is analysed again" says "predict-program: 1 of 4 to do"
ok "--doc writes the tables of programs into the page" \
    grep '^| report | function | ' doc/results.md
ok "--doc writes the tables of misses into their page" grep '^| expr | ' doc/misses.md
ok "--doc replaces what the pages had between the marks" [ -z "$(grep replaced doc/*.md)" ]

# Programs that fail.
cat >>programs <<END
false   tune  coreutils  -
    0  false
no      tune  none       -
    0  no-such-program
END
path=$PATH
PATH=$tmp/instead:$path
instead valgrind <<'END'
case $* in *depsim*gzip*words.pl*) echo more ;; esac
exec $real "$@"
END
instead time <<'END'
case $* in *pairs*) echo "time: error: what is this?" >&2; exit 1 ;; esac
exec $real "$@"
END
rm -r results/runs/gzip.2 results/predictions/pairs
ok "a run with programs that fail ends with status 2" ends 2 --programs=programs
ok "a program that ends with another status is named" \
    grep '^programs: false.1: .*false: status 1: ' err
ok "a program that is not installed is named" says \
    "programs: no.1: no-such-program: not installed"
ok "a program that prints another output is named" says \
    "programs: gzip.2: /usr/bin/gzip: another output under depsim"
ok "a program whose analysis fails is named" says \
    "programs: pairs: staticdeps: status 1: time: error: what is this?"
ok "only programs that failed are named" [ "$(grep -c '^programs: ' err)" -eq 4 ]
ok "programs beside those that failed are scored" row "expr | coreutils $(
    dpkg-query -W -f '${Version}' coreutils)$(of_scopes expr)"
ok "the table leaves out programs that failed" \
    [ -z "$(grep -E '^\| (pairs|gzip) ' results/table.md)" ]
PATH=$path

end_of_cases
