#!/bin/sh
# research/run effort and research/run cost on a small program.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
command -v time >/dev/null || skip_all "time is not installed"
question=effort

cat >programs <<'END'
gzip    report  gzip       -
    0  gzip -c words.py
    0  gzip -1 -c words.pl
expr    tune    coreutils  -
    1  expr 1 - 1
END
mkdir doc
for mark in effort cost; do
    printf '%s\n' "<!-- research/run $mark -->" replaced \
        "<!-- end of research/run $mark -->"
done >doc/results.md

ok "efforts and supports are tried on two programs" ends 0 --programs=programs --doc=doc
# figures OPTION...: covcheck's figures of gzip within a function.
figures() {
    "$root/scripts/run-in-tree" staticdeps --scope=program "$@" -o static.db \
        "$(cat results/runs/gzip.1/program)"
    "$root/scripts/run-in-tree" covcheck --format=json --min-weight=1 --lifetime=1024 \
        --static=static.db --deps=results/runs/gzip.1/deps.db \
        --deps=results/runs/gzip.2/deps.db | jq -r '.by_scope[]
        | select(.scope == "function")
        | "\(.lifetimes[0].cov_u)\t\(.lifetimes[0].cov_w)\t\(.precision)"'
}
has() {
    grep -F "$1" results/varied/gzip/rows || { cat results/varied/gzip/rows; return 1; }
}
ok "an effort's figures are covcheck's" \
    has "$(printf 'effort\t2\tfunction\t%s' \
    "$(figures --effort=2)")"
ok "the figures of a support are covcheck's" \
    has "$(printf 'support\t50\tfunction\t%s' \
    "$(figures --support=50)")"
rows() {
    grep -E -o '^\| \**[0-9]+\** \|' results/effort.md | tr -d '*| ' | tr '\n' ' '
}
ok "each effort and support has a row" [ "$(rows)" = \
    "1 2 3 4 5 6 7 8 9 0 2 4 6 8 10 20 30 50 70 90 " ]
most=$(cut -d ' ' -f 3 results/predictions/*/cost | sort -n |
    awk '{ print int($1 / 1000) + 1; exit }')
ok "a run over efforts of less code succeeds" ends 0 --programs=programs --most="$most"
ok "a run over efforts of less code leaves out the larger program" \
    grep "^- programs: 1, those with at most $most kB" results/effort.md

question=cost
gzip=$(realpath "$(command -v gzip)")
expr=$(realpath "$(command -v expr)")
ok "the costs of two programs are measured" ends 0 --doc=doc "$gzip" "$expr"
ok "the table has the costs of both programs" \
    grep -c -E "^\| (gzip|expr) \| 0\.[0-9] \| 0\.[0-9]+ \| [0-9.]+ \|" \
    results/cost.md
ok "the tables replace what the page had between the marks" \
    [ -z "$(grep replaced doc/results.md)" ]

end_of_cases
