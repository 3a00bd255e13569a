# agree NAME COMMAND...: four cases.  depsim and the oracle see the same in two runs
# of a command: all dependencies with their distances and forwards, and the
# executions of each instruction.  Sourced after lackey.sh.
#
# The two runs differ only in the process id, the time, and the kernel's random
# numbers.  The program may store these, but must not depend on them otherwise.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

# depsim_sees COMMAND...: writes x.db, what the command prints to x.stdout, and its
# exit status to x.status.
depsim_sees() {
    rm -f x.db
    status=0
    observe --tool=depsim --deps-file=x.db "$@" >x.stdout 2>x.stderr ||
        status=$?
    echo $status >x.status
    [ -s x.db ] || { cat x.stderr; return 1; }
}

both_see_the_same_run() {
    rm -f seen* x.*
    oracle_sees seen "$@" && depsim_sees "$@" && cmp seen.stdout x.stdout &&
        cmp seen.status x.status
}

# Depsim's name for code outside all files is "[anonymous]".
path="replace(path, '[anonymous]', '-')"

same_dependencies() {
    [ -s seen ] || return
    grep '^dep' seen >expected || : # a program may have none
    sqlite3 -tabs x.db "
        WITH file AS (SELECT object_id, $path AS path FROM object),
        bucket AS (
            SELECT dep_id, iif(lifetime = 9223372036854775807, 'inf',
                               lifetime) || ':' || occurrences || '/' || same || '/' ||
                   contained || '/' || partial || '/' || several || '/' ||
                   crossing AS text
            FROM dep_lifetime ORDER BY dep_id, lifetime),
        spread AS (
            SELECT dep_id, group_concat(text) AS text
            FROM bucket GROUP BY dep_id)
        SELECT 'dep', s.path, printf('%x', src), d.path, printf('%x', dst),
            occurrences, min_distance, max_distance, text
        FROM dep JOIN file s ON s.object_id = src_object
            JOIN file d ON d.object_id = dst_object
            LEFT JOIN spread USING(dep_id)" >rows || return
    LC_ALL=C sort rows >actual
    same expected actual
}

# An instruction's executions are the sum over the segments that contain it: those
# that begin at or before its address, minus those that end there or before.
same_executions() {
    grep '^exec' seen >expected
    cp x.db executions.db
    sqlite3 -tabs executions.db "
        CREATE TABLE executed(kind, path, address, executions);" \
        ".import expected executed" "
        WITH event(path, address, delta) AS (
            SELECT $path, printf('%016x', start), executions
                FROM segment JOIN object USING(object_id)
            UNION ALL
            SELECT $path, printf('%016x', \"end\"), -executions
                FROM segment JOIN object USING(object_id)
            UNION ALL
            SELECT path, substr('0000000000000000' || address, -16), NULL
                FROM executed),
        running AS (
            SELECT path, address, delta, total(delta) OVER (
                PARTITION BY path ORDER BY address) AS sum
            FROM event)
        SELECT 'exec', path, iif(address = '0000000000000000', '0',
                                 ltrim(address, '0')), CAST(sum AS INTEGER)
        FROM running WHERE delta IS NULL" >rows || return
    LC_ALL=C sort rows >actual
    [ -s expected ] && same expected actual
}

same_total() {
    grep '^total' seen >expected
    sqlite3 -tabs x.db "SELECT 'total', instructions FROM run" >actual
    [ -s expected ] && same expected actual
}

agree() {
    name=$1
    shift
    ok "$name: lackey and depsim see the same run" both_see_the_same_run "$@"
    ok "$name: depsim and the oracle see the same dependencies" same_dependencies
    ok "$name: depsim and the oracle count the same executions" same_executions
    ok "$name: depsim and the oracle count the same instructions" same_total
}

# agree_at_random SEED ROUNDS: agree for a program of random accesses, and three cases:
# depsim sees the same if its fast path counts all of them, most, or none.
agree_at_random() {
    name=accesses-$1
    wide=
    [ -n "$machine" ] || ! grep -q '^flags.* avx ' /proc/cpuinfo || wide=-mavx
    ok "the program $name is built" "${CC:-cc}" -O1 -w ${wide:+"$wide"} \
        "-DSEED=$1" "-DROUNDS=$2" -o "$name" "$srcdir/programs/accesses.c"
    agree "$name" "./$name"
    for n in 0 1 1000000; do
        ok "$name: depsim and the oracle see the same with --inline-after=$n" \
            same_in_line_after "$n" "./$name"
    done
}

same_in_line_after() {
    depsim_sees --inline-after="$1" "$2" && same_dependencies && same_executions
}

# text: 300 lines for programs that read a text.
text() {
    awk 'BEGIN {
        for (i = 0; i < 300; i++)
            print "line", i * 7919 % 300, "of a text that repeats itself"
    }'
}
