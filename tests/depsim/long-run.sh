#!/bin/sh
# A run of more than 2^32 instructions: every count and distance is exact, from
# the tool to covcheck.  long-run-40.sh does the same beyond 2^40.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

rounds=${rounds:-2} turns=${turns:-72000000}
all=$((rounds * turns))
far=$((60 * turns + 1)) # from the store before the loop to the load after it
longest=60              # from one turn to the next, or over a round's end
[ "$rounds" -eq 1 ] || longest=65

address() {
    echo $((0x$(nm long-run | sed -n "s/ T $1\$//p")))
}

# gives EXPECTED SQL: is this the answer of the database?
gives() {
    sqlite3 deps.db "$2" >actual || return
    echo "$1" >expected
    diff expected actual
}

${CC:-cc} -nostdlib -static -Wa,--defsym,ROUNDS="$rounds" \
    -Wa,--defsym,TURNS="$turns" -o long-run "$srcdir/programs/long-run.s"
first=$(address first) step=$(address step) last=$(address last)

ok "depsim records a program of $all turns" run valgrind -q --tool=depsim \
    --lifetime=512,1024,$((far - 1)),$far,inf ./long-run
ok "the count of instructions is exact after $all turns" \
    gives "$((6 + 60 * all + 5 * rounds))|1" \
    "SELECT instructions, complete FROM run"
ok "the count of executions is exact after $all turns" \
    gives "$all" "SELECT sum(executions) FROM segment
    WHERE start <= $step AND $step < \"end\""
ok "the largest distance and its bound are exact after $all turns" gives \
    "$rounds|$far|$far|$far|$rounds" \
    "SELECT d.occurrences, min_distance, max_distance, lifetime, l.occurrences
    FROM dep d JOIN dep_lifetime l USING(dep_id)
    WHERE src = $first AND dst = $last"
ok "the count of occurrences is exact after $all turns" \
    gives "$((all - 1))|60|$longest|512|$((all - 1))" \
    "SELECT d.occurrences, min_distance, max_distance, lifetime, l.occurrences
    FROM dep d JOIN dep_lifetime l USING(dep_id)
    WHERE src = $step AND dst = $step"
ok "a run of $all turns has only its two dependencies" gives 2 "SELECT count(*) FROM dep"

run staticdeps long-run
run covcheck --format=json deps.db static.db >report.json
ok "covcheck's sum of occurrences is exact after $all turns" \
    gives "$((all - 1))|1" "
    WITH row(r) AS (SELECT value FROM
        json_each(CAST(readfile('report.json') AS TEXT), '\$.lifetimes'))
    SELECT r ->> 'found_occurrences', r ->> 'found' FROM row
    WHERE r ->> 'lifetime' = 1024"
end_of_cases
