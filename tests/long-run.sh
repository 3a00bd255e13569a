#!/bin/sh
# A run of more than 2^32 instructions: every count and distance is exact, from
# the tool to covcheck.  long-run-40.sh does the same beyond 2^40.
# SPDX-License-Identifier: GPL-2.0-or-later
. "${srcdir:-$(dirname "$0")}/lib.sh"

turns=${turns:-72000000}
far=$((60 * turns + 1)) # from the store before the loop to the load behind it

address() {
    echo $((0x$(nm long-run | sed -n "s/ T $1\$//p")))
}

# gives EXPECTED SQL
gives() {
    sqlite3 deps.db "$2" >actual || return
    echo "$1" >expected
    diff expected actual
}

${CC:-cc} -nostdlib -static -Wa,--defsym,TURNS="$turns" -o long-run \
    "$srcdir/programs/long-run.s"
first=$(address first) step=$(address step) last=$(address last)

ok "$turns turns under depsim" run valgrind -q --tool=depsim \
    --lifetime=512,1024,$((far - 1)),$far,inf ./long-run
ok "instructions" gives "$((60 * turns + 8))|1" \
    "SELECT instructions, complete FROM run"
ok "executions" gives "$turns" "SELECT sum(executions) FROM segment
    WHERE start <= $step AND $step < \"end\""
ok "a distance, and the bound that it falls under" gives "1|$far|$far|$far|1" \
    "SELECT d.occurrences, min_distance, max_distance, lifetime, l.occurrences
    FROM dep d JOIN dep_lifetime l USING(dep_id)
    WHERE src = $first AND dst = $last"
ok "occurrences" gives "$((turns - 1))|60|60|512|$((turns - 1))" \
    "SELECT d.occurrences, min_distance, max_distance, lifetime, l.occurrences
    FROM dep d JOIN dep_lifetime l USING(dep_id)
    WHERE src = $step AND dst = $step"
ok "nothing else" gives 2 "SELECT count(*) FROM dep"

run staticdeps long-run
run covcheck --format=json deps.db static.db >report.json
ok "covcheck's sums" gives "$((turns - 1))|1" "
    WITH row(r) AS (SELECT value FROM
        json_each(CAST(readfile('report.json') AS TEXT), '\$.lifetimes'))
    SELECT r ->> 'found_occurrences', r ->> 'found' FROM row
    WHERE r ->> 'lifetime' = 1024"
end_of_cases
