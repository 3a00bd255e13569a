#!/bin/sh
# How covcheck treats the databases: it only reads them, whatever others write at
# the same time, and never scans a table for each row of another.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

# schema NAME: the statements of common/schema.h.
schema() {
    sed -n "/^#define $1 /,/[^\\\\]\$/p" "$root/common/schema.h" |
        sed -n 's/^ *"\(.*\)".*/\1/p' | sed 's/\\"/"/g'
}

# --- Plans ---

schema SCHEMA_DEPS | sqlite3 real-deps.db
schema SCHEMA_STATIC | sqlite3 real-static.db
new_pair
log_statements() {
    "${CC:-gcc}" -D_GNU_SOURCE -shared -fPIC -o log-sql.so \
        "$srcdir/programs/log-sql.c" -ldl || return
    LOG_SQL=$PWD/statements
    export LOG_SQL
    for run in '' --run=1; do
        LD_PRELOAD=$PWD/log-sql.so "$DEPSIM_BUILD/coverage/covcheck" $run \
            deps.db static.db >/dev/null || return
    done
    grep -c '^SELECT' statements
    [ "$(grep -c '^SELECT.* FROM dep' statements)" -ge 4 ]
}
# plans: the plan of each statement, in the database that has its tables.  The
# function each(), which the shell does not know, gets the columns of a scan.
plans() {
    grep '^SELECT' statements | sort -u |
        sed 's/^SELECT each(\(.*\)) FROM/SELECT \1 FROM/' |
        while read -r sql; do
        echo "$sql"
        sqlite3 real-deps.db "EXPLAIN QUERY PLAN $sql" 2>/dev/null ||
            sqlite3 real-static.db "EXPLAIN QUERY PLAN $sql" || return
    done >plans
    cat plans
}
# Only the first table of each level of a plan may be scanned: the others are read
# again for each of its rows.
no_scan_in_loop() {
    awk '/^SELECT/ { split("", scans); correlated = 0; sql = $0 }
        /CORRELATED/ { correlated = 1 }
        /AUTOMATIC|SCAN/ {
            level = match($0, /[|`]--/)
            if ($0 ~ /AUTOMATIC/ && $0 ~ /dep|segment/)
                bad = bad "\n" sql
            if ($0 ~ /SCAN/ && $0 !~ /sqlite_schema/ &&
                (correlated || scans[level]++)) bad = bad "\n" sql
        }
        END { print bad; exit bad != "" }' plans
}
no_sort() {
    awk '/^SELECT/ { sql = $0 }
        /TEMP B-TREE/ && sql ~ /FROM (dep|dep_lifetime|segment|unknown)/ &&
            sql !~ /run_id/ { print sql; n++ }
        END { exit n > 0 }' plans
}
if is_sanitized coverage/covcheck; then
    skip "no SQL statement of covcheck scans a table inside a loop" \
        "with sanitizers nothing can be preloaded"
else
    ok "covcheck's SQL statements are logged" log_statements
    ok "each SQL statement of covcheck has a query plan" plans
    ok "no SQL statement of covcheck scans a table inside a loop" no_scan_in_loop
    ok "no SQL statement of covcheck sorts a large table" no_sort
fi

# --- Read-only ---

new_pair
run covcheck deps.db static.db >expected
not_opened_for_writing() {
    strace -f -e trace=openat,open,unlink,rename -o trace \
        "$DEPSIM_BUILD/coverage/covcheck" deps.db static.db >out &&
        grep -q 'deps.db' trace &&
        ! grep -E 'O_RDWR|O_WRONLY|O_CREAT|unlink|rename' trace
}
ok_if 'has_ptrace && ! is_sanitized coverage/covcheck' \
    "there is no strace, or it may not trace, or a sanitizer" \
    "covcheck opens no file for writing" not_opened_for_writing
# Root may write in spite of permissions, so the directory is mounted read-only.
on_read_only_media() {
    mkdir -p media
    cp deps.db static.db media
    unshare -rm sh -c 'mount --bind media media &&
        mount -o remount,bind,ro media && cd media &&
        ! touch new 2>/dev/null && "$0" covcheck deps.db static.db' \
        "$root/scripts/run-in-tree" >out && diff expected out
}
ok_if "unshare -rm true" "no mounts here" \
    "covcheck reads databases on read-only media" on_read_only_media

# --- While depsim appends ---

# begin_writing: starts a writer that begins a transaction and waits before its
# commit.
begin_writing() {
    mkfifo commands
    sqlite3 deps.db <commands >written 2>&1 &
    writer=$!
    exec 3>commands
    echo "BEGIN IMMEDIATE; INSERT INTO run(run_id, complete, instructions, recorded)
    VALUES (3, 0, 0, 0);
        INSERT INTO dep SELECT dep_id + 100, 3, src_object, src, dst_object,
            dst, occurrences, 1, 1, 0 FROM dep;
        SELECT 'begun';" >&3
    until grep -q begun written; do kill -0 $writer || return; done
}
while_writing() {
    begin_writing && ends 0 deps.db static.db && diff expected out
}
ok "a run that is being appended is not seen" while_writing
after_writing() {
    echo "INSERT INTO lifetime SELECT 3, lifetime FROM lifetime
        WHERE run_id = 1; COMMIT;" >&3
    exec 3>&-
    wait $writer
    says 0 "covcheck: deps.db: run 3 is incomplete" deps.db static.db &&
        json 3 '$.runs'
}
ok "a run that was appended is seen" after_writing

# A writer between two reads of one covcheck finds the database locked.
between_reads() {
    new_pair
    run covcheck deps.db static.db >expected
    AT_SCAN="sqlite3 deps.db 'DELETE FROM dep_lifetime' 2>>refused" \
        LOG_SQL=/dev/null LD_PRELOAD=$PWD/log-sql.so \
        "$DEPSIM_BUILD/coverage/covcheck" deps.db static.db >out || return
    cat refused
    diff expected out && grep -q 'locked' refused
}
ok_if '! is_sanitized coverage/covcheck' "with sanitizers nothing can be preloaded" \
    "no writer changes a database while covcheck reads it" between_reads

# A writer that is killed leaves a journal that only a writer can undo.
killed_while_writing() {
    new_pair
    mkfifo more
    sqlite3 deps.db <more >written 2>&1 &
    writer=$!
    exec 3>more
    echo "PRAGMA cache_size = 1; BEGIN; UPDATE dep SET occurrences = 7;
        WITH RECURSIVE i(n) AS
            (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 20000)
        INSERT INTO lifetime SELECT n, 7 FROM i; SELECT 'begun';" >&3
    until grep -q begun written && test -s deps.db-journal; do
        kill -0 $writer || return
    done
    kill -9 $writer
    exec 3>&-
    ! wait $writer && test -s deps.db-journal
}
ok "a killed writer leaves its journal" killed_while_writing
ok "covcheck refuses a database whose write was interrupted" \
    says 2 "covcheck: deps.db: a write to it was interrupted; \
open it with sqlite3 once to undo that" deps.db static.db
undone() {
    sqlite3 deps.db 'SELECT 1 FROM dep LIMIT 1' && ends 0 deps.db static.db &&
        diff expected out
}
ok "the advice about an interrupted write helps" undone

# --- Order ---

# reverse DATABASE TABLE ID: puts the rows into the opposite order.
reverse() {
    sqlite3 "$1" "CREATE TABLE reversed AS SELECT * FROM $2 ORDER BY $3 DESC;
        DROP TABLE $2; ALTER TABLE reversed RENAME TO $2"
}
in_any_order() {
    new_many 2
    run covcheck --min-weight=0 --missed --false deps.db static.db \
        >expected 2>/dev/null
    reverse deps.db object object_id
    reverse deps.db segment start
    reverse deps.db dep dep_id
    reverse deps.db dep_lifetime dep_id
    reverse static.db object object_id
    reverse static.db dep block_id
    reverse static.db unknown_address block_id
    ends 0 --min-weight=0 --missed --false deps.db static.db 2>/dev/null &&
        diff expected out
}
ok "the order of rows does not change the report" in_any_order

# --- Foreign and damaged ---

new_pair
identities() {
    change deps.db "UPDATE object SET build_id = upper(build_id) || '0',
        path = path || '2'"
    says 2 "covcheck: deps.db: no object in common with static.db" deps.db \
        static.db
}
ok "covcheck refuses build-ids that do not match" identities
rebuilt="covcheck: deps.db: $PWD/bench was rebuilt between the two runs: its$(
    ) build-id is b0 here, and b1 in static.db"
rebuilt() {
    change deps.db "UPDATE object SET build_id = 'b0', path = '$PWD/bench'
        WHERE object_id = 1; UPDATE object SET build_id = '' WHERE object_id = 3"
    touch bench
    says 2 "$rebuilt" deps.db static.db
}
ok "covcheck refuses a rebuilt program, and names both builds" rebuilt
rebuilt_elsewhere() {
    rm bench
    says 2 "$rebuilt" deps.db static.db
}
ok "covcheck refuses a rebuilt program that is not there any more" rebuilt_elsewhere
rebuilt_partly() {
    sqlite3 static.db "INSERT INTO object VALUES (10, '/lib/c', 'c0', 'x86-64');
        INSERT INTO block VALUES (9, 10, 'f', 4096, 4112, 4, 'ok')"
    says 0 "$rebuilt" deps.db static.db && grep -q '^/lib/libc.so$' out &&
        says 2 "$rebuilt" --strict deps.db static.db
}
ok "covcheck warns of a rebuilt object beside others; --strict refuses it" rebuilt_partly
refusals refuses_changed <<'END'
a database of a later schema version|static.db|PRAGMA user_version = 1000|schema version 1000, this program knows
a deps.db of schema version 1|deps.db|PRAGMA user_version = 1|schema version 1, this program knows [0-9]
a deps.db without a schema version|deps.db|PRAGMA user_version = 0|schema version 0, this program knows [0-9]
a static.db of schema version 1|static.db|PRAGMA user_version = 1|schema version 1, this program knows [0-9]
a static.db without a schema version|static.db|PRAGMA user_version = 0|schema version 0, this program knows [0-9]
a lifetime of 0|deps.db|UPDATE lifetime SET lifetime = 0 WHERE lifetime = 256|damaged database: a lifetime of 0
a database of another application|deps.db|PRAGMA application_id = 7|not a depsim database
END
# Text where a number belongs, in each column that is read.
new_pair
for column in deps.run.complete deps.lifetime.lifetime deps.segment.start \
    deps.segment.end deps.segment.executions deps.segment.object_id \
    deps.dep.src_object deps.dep.src deps.dep.dst_object deps.dep.dst \
    deps.dep.occurrences deps.dep.min_distance deps.dep.max_distance \
    deps.dep_lifetime.dep_id \
    deps.dep_lifetime.lifetime deps.dep_lifetime.occurrences \
    static.block.object_id static.block.start static.block.end \
    static.block.instructions static.dep.block_id static.dep.src \
    static.dep.dst \
    static.dep.src_index static.dep.dst_index static.dep.delta_k \
    static.unknown_address.block_id \
    static.unknown_address.address static.unknown_address.loads \
    static.unknown_address.stores static.analysis.value; do
    database=${column%%.*}.db
    table=${column#*.}
    table=${table%.*}
    case $table in
    unknown_address) first="INSERT INTO unknown_address VALUES (1, 2, 0, 1);" ;;
    analysis) first="INSERT INTO analysis VALUES ('rob', 1);" ;;
    *) first= ;;
    esac
    ok "covcheck refuses text in $column" refuses_changed "$database" \
        "$first UPDATE OR IGNORE $table SET \"${column##*.}\" = 'much'" \
        "damaged database"
done
# A number, or bytes, where text belongs, in each column that is read.
for column in static.block.status static.block.function static.object.path \
    static.object.arch static.object.build_id deps.object.path \
    deps.object.build_id; do
    table=${column#*.}
    for value in 7 "x'00ff'"; do
        ok "covcheck refuses $value in $column" \
            refuses_changed "${column%%.*}.db" \
            "UPDATE ${table%.*} SET ${column##*.} = $value" "damaged database"
    done
done

end_of_cases
