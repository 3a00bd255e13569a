#!/bin/sh
# covcheck reads a database again and again while depsim appends to it.  Each
# report has whole runs only, and no run is lost.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

n_writers=2
n_runs_each=4

awk 'BEGIN { for (i = 0; i < 3000; i++) print i * i % 911, "lines of text" }' \
    >text

# record LOG: appends a run of gzip.
record() {
    depsim --log-file="$1" --append=yes --lifetime=1024 gzip -c <text >/dev/null
}

write_all() {
    for run in $(seq $n_runs_each); do
        record "log-$1-$run" || echo "exit status $?" >>"log-$1-$run"
    done
}

# Seconds for a read, which takes less than one; a read that waits for ever is ended.
patience=600

# read_once: appends to "reads" how many runs a report has, and its figures.
read_once() {
    run timeout "$patience" covcheck --format=json --min-weight=0 deps.db static.db \
        >json 2>>errors || { echo "exit status $?" >>errors; return; }
    sqlite3 :memory: "SELECT r ->> '$.runs',
            json_array_length(r, '$.incomplete_runs'),
            r ->> '$.lifetimes[0].found_occurrences',
            r ->> '$.lifetimes[0].missed_occurrences'
        FROM (SELECT CAST(readfile('json') AS TEXT) AS r)" >>reads
}

read_while_written() {
    for writer in $(seq $n_writers); do
        write_all "$writer" &
        writers="${writers-} $!"
    done
    for writer in $writers; do
        while kill -0 "$writer" 2>/dev/null; do
            read_once
        done
        wait "$writer"
    done
    read_once
    cat errors
    ! [ -s errors ]
}

ok "depsim records a first run" record log-first
ok "the program that is appended is analysed" run staticdeps "$(command -v gzip)"
: >errors
read_once
ok "the database has figures while runs are appended" \
    grep -qE '^1\|0\|[1-9][0-9]*\|[1-9]' reads
ok "no read fails, or waits for ever" read_while_written
ok "each read sees only whole runs" awk -F'|' '
    NR == 1 { found = $3; missed = $4 }
    $2 != 0 || $3 != $1 * found || $4 != $1 * missed { print; bad = 1 }
    END { exit bad }' reads
ok "the number of runs only grows while they are appended" \
    sh -c 'cut -d"|" -f1 reads | sort -nc'
ok "covcheck reads the database while runs are appended" sh -c \
    '[ "$(cut -d"|" -f1 reads | uniq | wc -l)" -ge 3 ]'
n_runs=$((1 + n_writers * n_runs_each))
ok "a read after all runs were appended sees all of them" sh -c "tail -n 1 reads | grep '^$n_runs|'"
ok "depsim loses no run while covcheck reads" is "$n_runs|$n_runs" \
    sql deps.db "SELECT count(*), sum(complete) FROM run"
ok "runs that are appended print no message" sh -c '! cat log-* | grep .'
ok "runs that are appended leave no file beside the database" \
    sh -c '[ "$(echo deps.db*)" = deps.db ]'

end_of_cases
