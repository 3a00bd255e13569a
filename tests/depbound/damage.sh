#!/bin/sh
# depbound and databases that are damaged, or say what no program does.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

ok "depsim records and staticdeps predicts the dependencies of the loops" prepare_loops

ok "depsim records and staticdeps predicts the dependencies of the loops" prepare_loops

# refuses_changed DATABASE SQL WHAT: is the changed database refused for WHAT?
refuses_changed() {
    cp deps.db whole-deps.db && cp static.db whole-static.db &&
        sqlite3 "$1" "$2" &&
        refuses depbound "$1" depbound "$cpu" --llvm-mca=none loops \
            deps.db static.db && grep -q ": .*: .*$3" .err
    status=$?
    mv whole-deps.db deps.db
    mv whole-static.db static.db
    return $status
}
while IFS='|' read -r database sql what <&3; do
    ok "depbound refuses a damaged $database: $what" refuses_changed "$database" "$sql" "$what"
done 3<<'END'
deps.db|DROP TABLE segment|no such table
deps.db|PRAGMA user_version = 99|version 99
static.db|PRAGMA user_version = 99|version 99
static.db|ALTER TABLE dep DROP COLUMN support|no such column
static.db|UPDATE block SET object_id = 99|block without an* object
static.db|DELETE FROM object|block without an* object
static.db|UPDATE dep SET src_block = 9999|pair without a block
static.db|PRAGMA ignore_check_constraints = 1; UPDATE dep SET support = 2|a share is not from 0 to 1
static.db|UPDATE block SET instructions = 4294967297|more instructions than bytes
deps.db|UPDATE segment SET executions = -1|negative
deps.db|UPDATE segment SET executions = -9223372036854775807 - 1|negative
deps.db|UPDATE segment SET executions = 9223372036854775807|64 bits
END
while IFS='|' read -r what sql <&3; do
    beyond() {
        cp static.db beyond.db && sqlite3 beyond.db "$sql" &&
            refuses depbound loops depbound "$cpu" --llvm-mca=none beyond.db &&
            grep -q "no code at" .err
    }
    ok "depbound refuses blocks that $what" beyond
done 3<<'END'
end beyond the code|UPDATE block SET "end" = "end" + 1000000000
lie beyond the code|UPDATE block SET start = start + 1000000000, "end" = "end" + 1000000000
END

far_away() {
    cp static.db far.db && sqlite3 far.db "UPDATE dep SET delta_k = 4294967297
        WHERE delta_k IS NOT NULL" && holds "$(loop through_memory) |
            .edges == 0 and .unfixed >= 1" loops far.db
}
ok "depbound drops a dependency over more rounds than it counts" far_away

overlap() {
    cp static.db overlap.db && sqlite3 overlap.db "INSERT INTO block
        SELECT block_id + 1000, object_id, function_id, start + 1, start + 2, 1,
            'ok', 0, 0 FROM block" &&
        holds "$(loop through_memory) | .edges >= 1" loops overlap.db &&
        report loops deps.db overlap.db
}
ok "a static.db whose blocks overlap has a report" overlap

# in_order FILE: does it end with a report, or with one line?
in_order() {
    status=0
    run depbound "$cpu" --llvm-mca=none --format=json loops deps.db static.db \
        >out 2>err || status=$?
    case $status in
    0) jq -e . out >/dev/null ;;
    2) [ "$(wc -l <err)" -eq 1 ] ;;
    *) false ;;
    esac || { echo "status $status"; cat err; return 1; }
}
cut_off() {
    cp "$1" whole
    size=$(wc -c <whole)
    for part in 1 2 3 4 5 6 7 8; do
        head -c $((size * part / 10)) whole >"$1"
        in_order || { cp whole "$1"; return 1; }
        [ $status -eq 2 ] || { echo "part $part was taken"; return 1; }
    done
    cp whole "$1"
}
ok "depbound does not crash on a deps.db that is cut at any place" cut_off deps.db
ok "depbound does not crash on a static.db that is cut at any place" cut_off static.db
overwritten() {
    cp "$1" whole
    size=$(wc -c <whole)
    at=$2
    step=$((size / 25))
    n_refused=0
    while [ "$at" -lt "$size" ]; do
        cp whole "$1"
        printf '\377\377\377\377\377\377\377' |
            dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
        in_order || { echo "byte $at"; cp whole "$1"; return 1; }
        n_refused=$((n_refused + (status == 2)))
        at=$((at + step))
    done
    cp whole "$1"
    [ $n_refused -gt 0 ]
}
ok "depbound does not crash on a deps.db with wrong bytes" overwritten deps.db 3
ok "depbound does not crash on a static.db with wrong bytes" overwritten static.db 3

end_of_cases
