#!/bin/sh
# research/run programs with all programs of research/suite/programs/list.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
question=programs

ok "all programs of the suite are scored" ends 0
awk '/^[^# \t]/ { print $1 }' "$root/research/suite/programs/list" | sort >programs
sort results/state/scored >scored
ok "each program of the suite has a score" same programs scored
two_inputs() {
    ls results/runs | sed 's/\.[0-9]*$//' | uniq -c | grep -v '^ *2 ' && return 1
    return 0
}
ok "each program of the suite has two runs" two_inputs
ok "at most half of the programs are for tuning" \
    [ "$(awk '/^[^# \t]/ { n[$2]++ }
    END { print (n["tune"] + n["report"] == all), (n["report"] >= n["tune"]) }' \
    all="$(wc -l <programs)" "$root/research/suite/programs/list")" = "1 1" ]

# long_enough: each run is longer than its start, which takes less than a million
# instructions.
long_enough() {
    for run in results/runs/*; do
        n=$(sqlite3 "$run/deps.db" 'SELECT sum(instructions) FROM run')
        [ "$n" -gt 8000000 ] || { echo "$run: $n instructions"; return 1; }
    done
}
ok "each run executes more than eight million instructions" long_enough
end_of_cases
