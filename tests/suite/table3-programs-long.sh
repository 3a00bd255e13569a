#!/bin/sh
# scripts/table3-programs: all of suite/programs/list.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
script=table3-programs

ok "all programs" ends 0
grep '^[^#]' "$root/suite/programs/list" | cut -d ' ' -f 1 >programs
ok "each is scored" same programs results/state/scored

# More than its start, which takes less than a million instructions.
long_enough() {
    while read -r program; do
        n=$(sqlite3 "results/runs/$program/deps.db" \
            'SELECT sum(instructions) FROM run')
        [ "$n" -gt 20000000 ] || { echo "$program: $n instructions"; return 1; }
    done <programs
}
ok "each runs for long" long_enough

# The two sides of the table by kind of block are covcheck's sums.
sums() {
    awk -F ' [|] ' '/^[|] all / && NF == 7 { print $2 + $4 + $6, $3 + $5 + $7 }' \
        results/table.md >sums
    jq -r '.predictions | "\(.occurred) \(.judged - .occurred)"' \
        results/scores/all.json | diff - sums
}
ok "no prediction is lost" sums
end_of_cases
