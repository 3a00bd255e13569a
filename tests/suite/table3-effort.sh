#!/bin/sh
# scripts/table3-effort and scripts/table3-cost on a small program.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
command -v time >/dev/null || skip_all "time is not installed"
script=table3-effort

cat >programs <<'END'
gzip    report  gzip       -
    0  gzip -c words.py
    0  gzip -1 -c words.pl
expr    tune    coreutils  -
    1  expr 1 - 1
END
mkdir doc
for mark in effort cost; do
    printf '%s\n' "<!-- scripts/table3-$mark -->" replaced \
        "<!-- end of scripts/table3-$mark -->"
done >doc/results.md

ok "a few programs" ends 0 --programs=programs --doc=doc
ok "are all varied" says "vary-walks: 2 of 2 to do"

# figures OPTION...: covcheck's of gzip, within a function.
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
    grep -E -o '^\| \**[0-9]+\** \|' doc/results.md | tr -d '*| ' | tr '\n' ' '
}
ok "a row for each" [ "$(rows)" = \
    "1 2 3 4 5 6 7 8 9 0 2 4 6 8 10 20 30 50 70 90 " ]
ok "plots" grep -q '</svg>' doc/results/effort.svg doc/results/support.svg
ok "a second run" ends 0 --programs=programs
ok "does nothing again" says "vary-walks: 0 of 2 to do"
most=$(cut -d ' ' -f 3 results/predictions/*/cost | sort -n |
    awk '{ print int($1 / 1000) + 1; exit }')
ok "less code" ends 0 --programs=programs --most="$most"
ok "leaves out the larger one" \
    grep "^- programs: 1, those with at most $most kB" \
    results/effort.md

script=table3-cost
gzip=$(realpath "$(command -v gzip)")
expr=$(realpath "$(command -v expr)")
ok "costs" ends 0 --doc=doc "$gzip" "$expr"
ok "of both" \
    grep -c -E "^\| (gzip|expr) \| 0\.[0-9] \| 0\.[0-9]+ \| [0-9.]+ \|" \
    doc/results.md
ok "a plot of them" grep -q '</svg>' doc/results/cost.svg
ok "costs again" ends 0 "$gzip" "$expr"
ok "are known" says "time-file: 0 of 2 to do"
ok "nothing is left of what was there" [ -z "$(grep replaced doc/results.md)" ]

# refused SCRIPT SUBJECT OPTION...
refused() {
    program=$1
    subject=$2
    shift 2
    refuses "$program" "$subject" "$root/scripts/$program" --results=none "$@"
}
for script in table3-effort table3-cost; do
    ok "$script: an option that is not" refused $script --what --what
    ok "$script: no number" refused $script --most=x --most=x
    ok "$script: no pages" refused $script "$tmp" --doc="$tmp"
done
ok "no file" refused table3-cost nothing nothing
ok "nothing small" refused table3-cost --most=0 --most=0 "$gzip"
end_of_cases
