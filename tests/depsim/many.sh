#!/bin/sh
# Counts and distances stay exact with many objects, threads and words of memory.  This
# takes minutes, and the memory for 5 GiB that are stored to and their shadow.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

program many -pthread
address() {
    echo $((0x$(nm many | sed -n "s/ [Tt] $1\$//p")))
}

n=100000
ok "a program with $n objects is recorded" depsim ./many objects $n
ok "each of $n objects has its own row" is $n sql deps.db \
    "SELECT count(DISTINCT build_id) FROM object WHERE path LIKE '%/object-%'"
# Each increments what the one before it has stored.
ok "the dependencies between $n objects are complete" is "$((n - 1))|$((n - 1))" \
    sql deps.db "SELECT count(*), sum(occurrences) FROM dep
    JOIN object s ON s.object_id = src_object
    JOIN object d ON d.object_id = dst_object
    WHERE s.path LIKE '%/object-%' AND d.path LIKE '%/object-%'"

n=10000 step=$(address step)
ok "a program with $n threads is recorded" depsim ./many threads $n
ok "the dependency between $n threads is complete" is "$((n - 1))|$((n - 1))" \
    sql deps.db "SELECT occurrences, cross_thread FROM dep
    WHERE src = $step AND dst = $step"

n=$((5 << 27)) store=$(address store) load=$(address load)
free=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
if [ "${free:-0}" -lt $((17 << 20)) ]; then
    skip "a program that stores to 5 GiB is recorded" "it needs 17 GiB of memory"
else
    ok "a program that stores to 5 GiB is recorded" depsim ./many words $n
    # From each store to its load: the rest of one loop, and the start of the other.
    ok "the distances between $n stores and loads are exact" \
        is "$n|$((4 * n + 1))|$((4 * n + 1))" sql deps.db \
        "SELECT occurrences, min_distance, max_distance FROM dep
        WHERE src = $store AND dst = $load"
fi
end_of_cases
