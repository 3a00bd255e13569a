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

ok "the program with processes compiles" program processes -pthread
self=$tmp/processes

### execve

depsim sh -c "exec '$self' 4"
ok "a program that replaces itself leaves its run" is "exec|" sql deps.db "$ended"
ok "the run of a program that replaces itself is complete" is 1 sql deps.db "$whole"
ok "without --trace-children the program of an execve is not recorded" \
    is "sh" sql deps.db "SELECT substr(command, 1, 2) FROM run"
ok "the run names the program that replaced it" \
    is "$self" sql deps.db "SELECT successor FROM run"

traced sh -c "exec '$self' 4"
ok "with --trace-children=yes the program of an execve is recorded" is "exec|
exit|4" sql deps.db "$ended"
ok "the runs before and after an execve are complete, in one session" \
    is "1|1" sql deps.db "SELECT ($whole), count(DISTINCT pid) FROM run"
cp deps.db two.db

native=$($machine ./processes fail)
rm -f deps.db* # its runs are of another program
rm text
ok "an execve that fails under depsim fails as it does without" is "$native" \
    depsim ./processes fail
ok "an execve that fails leaves no run of its own" is "exit|3" sql deps.db "$ended"
ok "after an execve that failed no program replaces the run" \
    is "" sql deps.db "SELECT successor FROM run"
ok "what happens after an execve that failed is recorded" \
    is "1|1" sql deps.db "SELECT count(*),
    (SELECT count(*) FROM dep) = (SELECT count(DISTINCT dep_id) FROM
    dep_lifetime) FROM dep WHERE occurrences = 1000"
ok "nothing of the replaced program is in the next run" \
    is "0|0|0" sql deps.db "SELECT
    (SELECT count(*) FROM segment WHERE run_id NOT IN (SELECT run_id FROM run)),
    (SELECT count(*) FROM dep WHERE run_id NOT IN (SELECT run_id FROM run)),
    (SELECT count(*) FROM lifetime WHERE run_id NOT IN
        (SELECT run_id FROM run))"
ok "an execve leaves no file beside the database" only deps.db

ok "a thread may call execve without an environment, in another directory" \
    exits 5 traced ./processes threads "$self"
ok "both runs around a thread's execve are in the database" is "exec|
exit|5" sql deps.db "$ended"
ok "the run before a thread's execve has what the thread did" is 1 sql deps.db \
    "SELECT count(*) FROM dep JOIN run USING (run_id)
     WHERE occurrences = 1000 AND ended = 'exec'"
ok "both runs are complete, in one session" is 1 sql deps.db "$whole"

traced --deps-file=%p.db sh -c "'$self' 6; exec '$self' 7"
for f in [0-9]*.db; do
    sql -separator ' ' "$f" "SELECT max(exit_status), count(*) FROM run"
done >each
ok "%p in --deps-file changes with the program, not with a fork" is "6 1
7 3" sort each
rm -f [0-9]*.db

### system, posix_spawn, vfork

ok "system, posix_spawn and vfork work under depsim" exits 36 traced ./processes start "$self"
ok "each program that system, posix_spawn and vfork start is a run" \
    is "11 12 13 36" \
    sql -separator ' ' deps.db "SELECT group_concat(exit_status, ' ') FROM
    (SELECT DISTINCT exit_status FROM run WHERE exit_status > 0 ORDER BY 1)"
ok "all started programs are complete, in one session" is 1 sql deps.db "$whole"

### Many at the same time

n=${machine:+6} # an emulated machine is slow
n=${n:-24}
numbers="$(seq -s ' ' 0 "$n")"
rm -f deps.db*
crowd() {
    traced ./processes crowd "$n" "$@" 2>said
}
# none_lost: is the run of each child there?  If not, depsim's messages say why.
none_lost() {
    is "$numbers" sql deps.db "SELECT group_concat(exit_status, ' ') FROM
        (SELECT exit_status FROM run WHERE ended = 'exit' ORDER BY 1)" ||
        { cat said; return 1; }
}
for path in "" "$self"; do
    ok "$n children${path:+ that were replaced} end at the same time" exits 0 crowd $path
    ok "none of $n runs that end at the same time is lost" none_lost
    ok "no run before an execve is lost${path:+ of $n}" \
        is "${path:+$n}" sql deps.db \
        "SELECT nullif(count(*), 0) FROM run WHERE ended = 'exec'"
    ok "all of $n runs are complete, in one session" is 1 sql deps.db "$whole"
    ok "$n runs that end at the same time leave no spool" only deps.db
done
ok "the database of $n runs is sound" is ok sql deps.db "PRAGMA integrity_check"

depsim ./processes 1
ok "a new session replaces the runs of the last one" is "exit|1" sql deps.db "$ended"
traced --append=yes sh -c "exec '$self' 4"
ok "a new session with --append=yes adds its runs" is "exit|1
exec|
exit|4" sql deps.db "$ended"

end_of_cases
