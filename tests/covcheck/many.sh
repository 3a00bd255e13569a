#!/bin/sh
# covcheck over many runs and many databases.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

# report FILE OPERAND...: writes a JSON report to FILE.
report() {
    file=$1
    shift
    run covcheck --format=json "$@" >"$file"
}

# figures FILE: the counts of a JSON report at each bound.
figures() {
    ask "SELECT value ->> 'lifetime', value ->> 'found', value ->> 'missed',
        value ->> 'found_occurrences', value ->> 'missed_occurrences',
        value ->> 'spanning' FROM r, json_each(r, '\$.lifetimes')" "$1"
}

# --- Runs ---

new_many 7
cp deps.db all.db
one_run() {
    report one --run=2 all.db static.db || return
    sqlite3 deps.db "DELETE FROM run WHERE run_id <> 2;
        DELETE FROM segment WHERE run_id <> 2;
        DELETE FROM dep_lifetime WHERE dep_id IN
            (SELECT dep_id FROM dep WHERE run_id <> 2);
        DELETE FROM dep WHERE run_id <> 2" &&
        report alone deps.db static.db && diff alone one &&
        is 1 ask "SELECT r ->> 'runs' FROM r" one
}
ok "--run scores one run as if it were alone" one_run
ok "--run refuses a run that is not there" says 2 \
    "covcheck: all.db: no run 9" --run=9 all.db static.db
ok "--run is refused with several databases" \
    refuses covcheck --run covcheck --run=1 \
    --deps=all.db --deps=deps.db --static=static.db
# split_runs: two runs have one report in one database and in two.
split_runs() {
    cp all.db rest.db
    sqlite3 rest.db "DELETE FROM dep_lifetime WHERE dep_id IN
            (SELECT dep_id FROM dep WHERE run_id = 2);
        DELETE FROM dep WHERE run_id = 2; DELETE FROM segment WHERE run_id = 2;
        DELETE FROM run WHERE run_id = 2"
    report whole --by=object all.db static.db &&
        report parts --deps=deps.db --deps=rest.db --static=static.db &&
        diff whole parts
}
ok "runs in two databases count as in one" split_runs
run_without_bound() {
    sqlite3 all.db "DELETE FROM lifetime WHERE run_id = 3 AND lifetime = 512"
    says 2 "covcheck: all.db: lifetime 512 was not recorded: only 16,$(
        ) 1024, inf" --lifetime=512 all.db static.db &&
        says 0 "" --lifetime=512 --run=1 all.db static.db
}
ok "with --run only the bounds of that run must be recorded" run_without_bound

# --- Many files ---

# pairs N: makes the directory pairs with N copies of one pair.
pairs() {
    rm -rf pairs
    new_pair
    for i in $(seq "$1"); do
        mkdir -p "pairs/$i"
        cp deps.db static.db "pairs/$i"
    done
}
few_files() {
    pairs 20
    (ulimit -S -n 20 && report many pairs) && is $((20 * 2099)) ask \
        "SELECT r ->> '\$.lifetimes[2].found_occurrences' FROM r" many
}
ok "covcheck reads more databases than its soft limit of open files" few_files
# With a hard limit covcheck closes some databases, and opens them again.
fewer_files() {
    (ulimit -n 20 && report few pairs) && diff many few
}
ok "covcheck reads more databases than its hard limit of open files" fewer_files
# The programs exist here, and elfutils keeps each of them open.
fewer_programs() {
    echo '.globl _start; _start: .fill 64, 1, 0x90' | as -o code.o || return
    for i in $(seq 20); do
        id=$(printf %040x "$i")
        ld -Ttext=0x1000 --build-id=0x"$id" -o "pairs/$i/bench" code.o || return
        for database in deps static; do
            sqlite3 "pairs/$i/$database.db" "UPDATE object
                SET path = '$PWD/pairs/$i/bench', build_id = '$id'
                WHERE build_id = 'b1'"
        done
    done
    report many pairs && (ulimit -n 20 && report few pairs) &&
        diff many few && grep -c '"src_instruction": "nop"' few |
        grep -x $((20 * 5))
}
ok "covcheck shows the code of more programs than may be open" fewer_programs
# A database that was closed and changed before it is opened again is refused.
changed_between() {
    "${CC:-gcc}" -D_GNU_SOURCE -shared -fPIC -o log-sql.so \
        "$srcdir/programs/log-sql.c" -ldl || return
    AT_SCAN="sqlite3 pairs/20/deps.db 'DELETE FROM dep_lifetime'
        cp pairs/1/static.db new && mv new pairs/20/static.db" \
        LOG_SQL=/dev/null sh -c 'ulimit -n 20
        LD_PRELOAD=$PWD/log-sql.so exec "$DEPSIM_BUILD/coverage/covcheck" pairs' \
        >out 2>err && return 1
    cat err
    grep '^covcheck: pairs/20/.*.db: it changed while it was read$' err
}
ok_if '! is_sanitized coverage/covcheck' "with sanitizers nothing can be preloaded" \
    "covcheck refuses a database that changed between two reads" changed_between

# --- Programs ---

# Three programs of one pair each.  The third is a copy of the first under
# other identities; all have the library of the first.
mkdir -p results/a results/b/deeper results/c
new_many 1
mv deps.db static.db results/a
new_pair
mv deps.db results/b/deeper/of-this-run.db
mv static.db results/b
cp results/a/*.db results/c
sqlite3 results/c/deps.db "UPDATE object SET build_id = 'x' || build_id
    WHERE build_id <> 'bb'"
sqlite3 results/c/static.db "UPDATE object SET build_id = 'x' || build_id
    WHERE build_id <> 'bb'"
sum_of_all() {
    report a results/a && report total results &&
        report b results/b/deeper/of-this-run.db results/b/static.db || return
    # The expected sum over the programs without the library; c is a copy of a.
    sqlite3 :memory: "SELECT b.value ->> 'lifetime',
            2 * (aa.value ->> 'found') + (b.value ->> 'found'),
            2 * (aa.value ->> 'missed') + (b.value ->> 'missed'),
            2 * (aa.value ->> 'found_occurrences')
                + (b.value ->> 'found_occurrences')
        FROM json_each(CAST(readfile('b') AS TEXT), '\$.lifetimes') AS b,
            json_each(CAST(readfile('a') AS TEXT),
                '\$.objects[0].lifetimes') AS aa
        WHERE aa.value ->> 'lifetime' = b.value ->> 'lifetime'" >want
    ask "SELECT t.value ->> 'lifetime',
            (t.value ->> 'found') - (bb.value ->> 'found'),
            (t.value ->> 'missed') - (bb.value ->> 'missed'),
            (t.value ->> 'found_occurrences')
                - (bb.value ->> 'found_occurrences')
        FROM r, json_each(r, '\$.lifetimes') AS t, json_each(r, '\$.groups') AS g,
            json_each(g.value, '\$.lifetimes') AS bb
        WHERE g.value ->> 'object' = 'bb'
            AND bb.value ->> 'lifetime' = t.value ->> 'lifetime'" total >got
    [ "$(wc -l <want)" -eq 3 ] && diff want got
}
ok "a report of a directory has the sum of its programs" sum_of_all
a_row_each() {
    ends 0 results && sed -n '/object$/,/^$/s/^.*%  //p' out | sort >got &&
        printf '%s\n' /opt/bench a a b | diff - got
}
ok "the text report has a row for each object" a_row_each
library() {
    # Two programs have the library: its occurrences are the sum of theirs.
    for f in a total; do
        ask "SELECT sum(value ->> '\$.lifetimes[0].found'),
            sum(value ->> '\$.lifetimes[0].found_occurrences')
            FROM r, json_each(r, '\$.objects') WHERE value ->> 'build_id' = 'bb'" $f
    done | awk -F'|' '{ n[NR] = $1; w[NR] = $2 }
        END { exit !(n[1] > 0 && n[1] == n[2] && 2 * w[1] == w[2]) }'
}
ok "the runs of a library under two programs are added" library
options_too() {
    report options --deps=results/a/deps.db --static=results/c/static.db \
        --static=results/a/static.db --deps=results/c/deps.db \
        results/b && figures options >got && figures total | diff - got
}
ok "options and directories name databases with the same result" options_too
ok "an object without blocks of its own is no error" says 0 "" results/b

ok "covcheck refuses a directory without databases" refuses covcheck empty \
    sh -c 'mkdir -p empty && covcheck empty'
ok "covcheck refuses a directory without predictions" says 2 \
    "covcheck: results/b/deeper: no database of staticdeps" results/b/deeper
foreign() {
    mkdir -p mixed && cp results/a/*.db mixed && echo text >mixed/notes.db
    says 2 "covcheck: mixed/notes.db: neither a depsim nor a staticdeps$(
        ) database" mixed
}
ok "covcheck refuses a foreign *.db in a directory" foreign
ok "covcheck ignores other files in a directory" sh -c \
    'mv mixed/notes.db mixed/notes.txt && "$0" covcheck mixed' \
    "$root/scripts/run-in-tree"
ok "covcheck refuses a deps.db without any prediction" says 2 \
    "covcheck: results/b/deeper/of-this-run.db: no object in common with any$(
    ) static database" --deps=results/b/deeper/of-this-run.db results/a \
    --static=results/c/static.db
ok "covcheck refuses --deps alone" refuses covcheck usage covcheck --deps=deps.db
ok "covcheck refuses an operand beside --deps" \
    refuses covcheck results/a/static.db \
    covcheck --deps=results/a/deps.db results/a/static.db
bounds_apart() {
    cp -r results apart
    sqlite3 apart/b/deeper/of-this-run.db "DELETE FROM lifetime
        WHERE lifetime <> 256"
    refuses covcheck of-this-run.db covcheck apart && grep -q 'in common' .err
}
ok "covcheck refuses databases without a common bound" bounds_apart
ok "covcheck refuses a bound that one database lacks" says 2 \
    "covcheck: all databases: lifetime 256 was not recorded: only 512, 1024,$(
    ) inf" --lifetime=256 results
incomplete() {
    sqlite3 results/c/deps.db "UPDATE run SET complete = 0 WHERE run_id = 3"
    says 0 "covcheck: results/c/deps.db: run 3 is incomplete" results &&
        says 2 "covcheck: results/c/deps.db: run 3 is incomplete" --strict \
            results && [ ! -s out ]
}
ok "covcheck warns of an incomplete run; --strict refuses it" incomplete
too_much() {
    for db in a c; do
        sqlite3 results/$db/deps.db "UPDATE segment SET executions =
            4611686018427387904 WHERE rowid <= 2"
    done
    says 2 "covcheck: results/c/deps.db: damaged database: its counts exceed$(
        ) 64 bits" results
}
ok "covcheck refuses databases whose sum exceeds 64 bits" too_much

end_of_cases
