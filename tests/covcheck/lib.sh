# What the tests of covcheck share.  Sourced in place of lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib.sh sets what it sets
. "$srcdir/lib.sh"

data=$srcdir/data

# new_pair: makes deps.db and static.db from the SQL in the directory data.
new_pair() {
    rm -f deps.db static.db
    sqlite3 deps.db ".read $data/deps-schema.sql" ".read $data/deps.sql"
    sqlite3 static.db ".read $data/static-schema.sql" ".read $data/static.sql"
}

# new_many SEED: makes a larger pair of random content.
new_many() {
    rm -f deps.db static.db
    sqlite3 deps.db ".read $data/deps-schema.sql"
    sqlite3 static.db ".read $data/static-schema.sql"
    sqlite3 deps.db "ATTACH 'static.db' AS s" \
        "CREATE TEMP TABLE seed AS SELECT $1 AS n" ".read $data/many.sql"
}

# from_sql QUERY...: runs these queries of the directory data on the pair.
from_sql() {
    for query; do
        set -- "$@" ".read $data/$query.sql"
        shift
    done
    sqlite3 deps.db "ATTACH 'static.db' AS s" ".read $data/joined.sql" "$@"
}

tested() {
    run covcheck "$@"
}

# says STATUS TEXT OPERAND...: does covcheck print exactly this on standard error?
says() {
    expected_err=$2
    status=$1
    shift 2
    ends "$status" "$@" && [ "$(cat err)" = "$expected_err" ]
}

# json EXPECTED PATH OPTION...: does the JSON report have this value at the path?
json() {
    expected_json=$1
    path=$2
    shift 2
    ends 0 --format=json "$@" deps.db static.db || return
    found=$(ask "SELECT json_extract(r, '$path') FROM r")
    [ "$found" = "$expected_json" ] || { echo "found: $found"; return 1; }
}

# json_cases: a case for each line of standard input, WHAT|VALUE|PATH|OPTION...: has the
# JSON report this value there?
json_cases() {
    while IFS='|' read -r what value path options <&3; do
        # shellcheck disable=SC2086 # they are several
        ok "$what" json "$value" "$path" $options
    done 3<&0
}

# shows PATTERN OPTION...: does the report have a line like this?
shows() {
    pattern=$1
    shift
    ends 0 "$@" deps.db static.db && grep -q -e "$pattern" out
}

# ask SQL [FILE]: what SQL finds in a JSON report, by default that in the file out: its
# text is in the column r of the table r.
ask() {
    sqlite3 :memory: \
        "WITH r AS (SELECT CAST(readfile('${2:-out}') AS TEXT) AS r) $1"
}

# report_in_json OPTION...: writes it into the file out.
report_in_json() {
    ends 0 --format=json "$@" deps.db static.db >/dev/null
}

# record PROGRAM OPTION...: cases in which a program of this directory is recorded and
# analysed, with options of staticdeps.
record() {
    program=$1
    shift
    rm -f deps.db static.db
    ok "$program is recorded" run valgrind -q --tool=depsim "./$program"
    ok "$program is analysed" run staticdeps "$@" "./$program"
}

# change DATABASE SQL: makes a new pair, and changes one of its databases.
change() {
    new_pair
    sqlite3 "$1" "$2"
}

# filtered: makes a pair whose static.db lacks blocks 4 and 5, which are those of g.
# Of 9 dependencies with an end in the program two have an end in g, with 99 + 3 of
# 2773 occurrences: $left_out says so.
filtered() {
    change static.db "INSERT INTO analysis VALUES
        ('filter:1', '--function=f'), ('filter:2', '--range=0x0-0x102c');
        DELETE FROM dep WHERE block_id IN (4, 5);
        DELETE FROM unknown_address WHERE block_id IN (4, 5);
        DELETE FROM block WHERE block_id IN (4, 5)"
}
left_out="bench: analysed with --function=f --range=0x0-0x102c: \
what ran outside that, 2 of 9 dependencies, 3.7% of occurrences, is not scored"

# refuses_changed DATABASE SQL WHAT: is the changed pair refused with a line
# that says so?
refuses_changed() {
    change "$1" "$2"
    refuses covcheck "$1" covcheck deps.db static.db &&
        grep -q ": .*: .*$3" .err
}

# refusals COMMAND...: a case for each line of standard input, WHAT|ARGUMENT|...: does
# the command with these arguments find that covcheck refuses it?
refusals() {
    while IFS='|' read -r what one two three <&3; do
        ok "covcheck refuses $what" "$@" "$one" "$two" ${three:+"$three"}
    done 3<&0
}

# is_described OPTION...: does the JSON report match the schema?  77: nothing can tell.
is_described() {
    status=0
    run covcheck --format=json "$@" deps.db static.db >json 2>err || status=$?
    [ $status -le 1 ] || { cat err; return 1; }
    python3 "$srcdir/covcheck/json-schema.py" "$root/doc/covcheck.schema.json" json
}
