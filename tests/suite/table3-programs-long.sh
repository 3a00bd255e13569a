#!/bin/sh
# scripts/table3-programs: all of suite/programs/list.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
script=table3-programs

ok "all programs" ends 0
awk '/^[^# \t]/ { print $1 }' "$root/suite/programs/list" | sort >programs
sort results/state/scored >scored
ok "each is scored" same programs scored
two_inputs() {
    ls results/runs | sed 's/\.[0-9]*$//' | uniq -c | grep -v '^ *2 ' && return 1
    return 0
}
ok "with two inputs" two_inputs
ok "some are tuned on, more are not" [ "$(awk '/^[^# \t]/ { n[$2]++ }
    END { print n["tune"] + n["report"] == NR_all, n["report"] >= n["tune"] }' \
    NR_all="$(wc -l <programs)" "$root/suite/programs/list")" = "1 1" ]

# More than its start, which takes less than a million instructions.
long_enough() {
    for run in results/runs/*; do
        n=$(sqlite3 "$run/deps.db" 'SELECT sum(instructions) FROM run')
        [ "$n" -gt 8000000 ] || { echo "$run: $n instructions"; return 1; }
    done
}
ok "each runs for long" long_enough
end_of_cases
