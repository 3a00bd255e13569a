#!/bin/sh
# Many processes, one database: forks, programs that replace themselves and
# start others, and all of them at the same time.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

traced() {
    depsim --trace-children=yes "$@"
}

# Each run is complete, in one session, and has dependencies of its own.
whole="SELECT count(DISTINCT session) = 1 AND min(complete) = 1 AND
              min(run_id IN (SELECT run_id FROM dep)) FROM run"
ended="SELECT ended, exit_status FROM run ORDER BY run_id"

ok "a program for this compiles" program processes -pthread
self=$tmp/processes

### execve

depsim sh -c "exec '$self' 4"
ok "a program that replaces itself leaves its run" is "exec|" sql deps.db "$ended"
ok "which is complete" is 1 sql deps.db "$whole"
ok "and which no other program follows" is "sh" sql deps.db \
    "SELECT substr(command, 1, 2) FROM run"

traced sh -c "exec '$self' 4"
ok "with --trace-children=yes one does" is "exec|
exit|4" sql deps.db "$ended"
ok "in the same session, complete, and of the same process" is "1|1" sql deps.db \
    "SELECT ($whole), count(DISTINCT pid) FROM run"
cp deps.db two.db

native=$(./processes fail)
rm -f deps.db* # of another program
rm text
ok "an execve that fails fails as it does without depsim" is "$native" \
    depsim ./processes fail
ok "and leaves no run of its own" is "exit|3" sql deps.db "$ended"
ok "what comes after it is recorded" is "1|1" sql deps.db "SELECT count(*),
    (SELECT count(*) FROM dep) = (SELECT count(DISTINCT dep_id) FROM
    dep_lifetime) FROM dep WHERE occurrences = 1000"
ok "with nothing left of what was replaced" is "0|0|0" sql deps.db "SELECT
    (SELECT count(*) FROM segment WHERE run_id NOT IN (SELECT run_id FROM run)),
    (SELECT count(*) FROM dep WHERE run_id NOT IN (SELECT run_id FROM run)),
    (SELECT count(*) FROM lifetime WHERE run_id NOT IN
        (SELECT run_id FROM run))"
ok "and nothing beside the database" is deps.db echo deps.db*

ok "a thread may call execve, elsewhere, without an environment" exits 5 \
    traced ./processes threads "$self"
ok "both runs are in the database" is "exec|
exit|5" sql deps.db "$ended"
ok "the first with what the thread did" is 1 sql deps.db \
    "SELECT count(*) FROM dep JOIN run USING (run_id)
     WHERE occurrences = 1000 AND ended = 'exec'"
ok "both complete, in one session" is 1 sql deps.db "$whole"

traced --deps-file=%p.db sh -c "'$self' 6; exec '$self' 7"
for f in [0-9]*.db; do
    sql -separator ' ' "$f" "SELECT max(exit_status), count(*) FROM run"
done >each
ok "%p changes with the program, not with the fork" is "6 1
7 3" sort each
rm -f [0-9]*.db

### system, posix_spawn, vfork

ok "system, posix_spawn and vfork work" exits 36 traced ./processes start "$self"
ok "each program that they start is a run" is "11 12 13 36" \
    sql -separator ' ' deps.db "SELECT group_concat(exit_status, ' ') FROM
    (SELECT DISTINCT exit_status FROM run WHERE exit_status > 0 ORDER BY 1)"
ok "all complete, in one session" is 1 sql deps.db "$whole"

### Many at the same time

numbers="$(seq -s ' ' 0 24)"
rm -f deps.db*
crowd() {
    traced ./processes crowd "$@" 2>said
}
# What was said says why, if one is.
none_lost() {
    is "$numbers" sql deps.db "SELECT group_concat(exit_status, ' ') FROM
        (SELECT exit_status FROM run WHERE ended = 'exit' ORDER BY 1)" ||
        { cat said; return 1; }
}
for path in "" "$self"; do
    ok "24 children end at the same time${path:+, replaced}" \
        exits 0 crowd $path
    ok "none is lost" none_lost
    ok "nor what was before an execve" is "${path:+24}" sql deps.db \
        "SELECT nullif(count(*), 0) FROM run WHERE ended = 'exec'"
    ok "all are complete, in one session" is 1 sql deps.db "$whole"
    ok "no spool is left" is deps.db echo deps.db*
done
ok "the database is sound" is ok sql deps.db "PRAGMA integrity_check"

depsim ./processes 1
ok "the next session replaces this one" is "exit|1" sql deps.db "$ended"
traced --append=yes sh -c "exec '$self' 4"
ok "or is added to it" is "exit|1
exec|
exit|4" sql deps.db "$ended"

end_of_cases
