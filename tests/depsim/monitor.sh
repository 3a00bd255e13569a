#!/bin/sh
# The commands that vgdb sends to a program under depsim, and the summary.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# begin OPTION...: starts the program under $tool, and returns when it has worked
# and waits.  If the program ends, the pipes are opened so that no test waits for it.
begin() {
    {
        "$root/scripts/run-in-tree" valgrind --tool=$tool \
            --vgdb-prefix="$tmp/vgdb" "$@" ./stops pipe1 pipe2 pipe3 2>said &
        echo $! >pid
        status=0
        wait $! || status=$?
        echo $status >status
        : <>pipe1 <>pipe2 <>pipe3
    } 2>/dev/null &
    exec 3>pipe1
    pid=$(cat pid)
}

# go_on N: the program works on, and then waits at pipe N.
go_on() {
    exec 3>&-
    exec 3>"pipe$1"
}

# finish: the program goes on to its end.
finish() {
    exec 3>&-
    wait
}

# monitor COMMAND...: what depsim answers, which takes less than a second.
monitor() {
    timeout 600 vgdb --vgdb-prefix="$tmp/vgdb" --pid="$pid" "$@" 2>vgdb-said
}

# runs: for each run in the database whether it is complete, its exit status, and the
# most occurrences of a dependency of the program.
runs() {
    sql -separator ' ' "${1:-deps.db}" "
        SELECT complete, ifnull(exit_status, '-'),
            (SELECT max(occurrences) FROM dep
             JOIN object o ON o.object_id = src_object
             WHERE dep.run_id = run.run_id AND o.path LIKE '%/stops')
        FROM run ORDER BY run_id"
}

# whole DATABASE: does each row belong to a run, and is no row there twice?
whole() {
    is "0 0 0 0 ok" sql -separator ' ' "$1" "
        SELECT (SELECT count(*) FROM dep LEFT JOIN run r USING(run_id)
                WHERE r.run_id IS NULL),
               (SELECT count(*) FROM segment LEFT JOIN run r USING(run_id)
                WHERE r.run_id IS NULL),
               (SELECT count(*) FROM dep_lifetime LEFT JOIN dep d USING(dep_id)
                WHERE d.dep_id IS NULL),
               (SELECT count(*) FROM (SELECT 1 FROM dep GROUP BY run_id,
                   src_object, src, dst_object, dst HAVING count(*) > 1)),
               (SELECT * FROM pragma_integrity_check)"
}

mkfifo pipe1 pipe2 pipe3
program stops || exit 1

# Valgrind asks the kernel to let vgdb interrupt a program that waits.
tool=none
begin -q
reached=yes
monitor help >answer || reached=no
kill -KILL "$pid"
finish
[ $reached = yes ] || skip_all "vgdb cannot reach a program that waits"
tool=depsim

### The commands.

begin -q
monitor status >answer
ok "the command status says that depsim is recording" grep -x 'recording:     on' answer
ok "the command status says how many instructions were recorded" \
    grep -E '^instructions:  [0-9,]+, [0-9,]+ recorded$' answer
ok "the command status writes no database" test ! -e deps.db
monitor help >help
for command in dump help start stop status; do
    ok "the command help names $command" grep -q "^  $command  *[a-z]" help
done
ok "the man page names the commands of help" is "$(
    sed -n '/depsim monitor commands/,$s/^  \([a-z]*\) .*/\1/p' help | sort)" \
    sh -c 'sed -n "/^\.Ss The monitor/,/^\.S[sh] [^T]/s/^\.It Cm //p" \
           "$1" | sort' - "$root/doc/depsim.1"
ok "an ambiguous command is refused" is "st can match start stop status" monitor st
monitor nonsense >answer
ok "an unknown command is refused" grep -q "nonsense.* not recognised" answer
ok "a command with too many arguments is refused" \
    is "dump: everything: takes no argument" monitor dump everything

### A dump.

ok "the command dump writes the database" is "dump: written" monitor dump
ok "the run in a dump is not complete" is "0 - 1000" runs
ok "the database of a dump is sound" whole deps.db
go_on 2
ok "a command may be abbreviated" is "dump: written" monitor du
ok "a later dump replaces the earlier one" is "0 - 3000" runs
ok "the database of a later dump is sound" whole deps.db
ok "the command stop stops recording" is "recording:     stopped" monitor stop
go_on 3
monitor status >answer
ok "the command status says that recording is stopped" grep -x 'recording:     stopped' answer
ok "the command start starts recording" is "recording:     on" monitor start
finish
ok "a program keeps its exit status after commands" is 4 cat status
ok "the program prints what it prints without the monitor" is "" cat said
ok "the run replaces its dumps when it ends" is "1 4 3000" runs
ok "the database is sound after the run replaced the dumps" whole deps.db
ok "dumps leave no file beside the database" only deps.db

begin -q --append=yes --record-from-start=no --fn=work
monitor status >answer
ok "with --record-from-start=no status says that recording is off" \
    grep -x 'recording:     stopped' answer
monitor start >answer
ok "the command start does not record code that --fn leaves out" \
    is "recording:     outside --fn" cat answer
go_on 2
ok "dump succeeds with --append=yes" is "dump: written" monitor dump
ok "a dump with --append=yes adds one run" is "1 4 3000
0 - 2000" runs
mv deps.db moved.db
mkdir deps.db
monitor dump >answer
ok "a dump that fails answers that it failed" grep -x "dump: not written" answer
ok "a dump that fails logs the reason" grep "^depsim: .*/deps\.db: ." answer
ok "a dump that fails leaves no spool" sh -c '! ls deps.db.spool*'
rmdir deps.db
mv moved.db deps.db
kill -KILL "$pid"
finish
ok "the last dump stays after SIGKILL" is "1 4 3000
0 - 2000" runs
ok "the dump that remains after SIGKILL is sound" whole deps.db
(trap '' CHLD; begin -q; go_on 2; go_on 3; finish)
ok "depsim can start with SIGCHLD ignored" is "1 4 7000" runs

### The summary of -v.

begin -v
go_on 2
go_on 3
finish
sed -n 's/^==[0-9]*== \([a-z][a-z ]*: .*\)/\1/p' said >summary
# figure TEXT: the number before this text in the summary.
figure() {
    sed -n "s/.*[: ]\([0-9,]*\) $1.*/\1/p" summary | tr -d ,
}
ok "the summary has the instructions of the run" \
    is "$(figure recorded | head -n 1)" \
    sql deps.db "SELECT instructions FROM run"
ok "the summary has the dependencies of the run" \
    is "$(sed -n 's/^dependencies: *\([0-9,]*\),.*/\1/p' \
    summary | tr -d ,)" sql deps.db "SELECT count(*) FROM dep"
ok "the summary has the occurrences of the run" is "$(figure occurrences)" \
    sql deps.db "SELECT sum(occurrences) FROM dep"
for line in 'shadow memory: *[1-9][0-9,]* KiB' 'all tables: *[1-9][0-9,]* KiB' \
    'time: *[0-9]*\.[0-9]* s start-up' \
    'time: *[0-9]*\.[0-9]* s check of the database' \
    'time: *[0-9]*\.[0-9]* s program' \
    'time: *[0-9]*\.[0-9]* s write of the spool' \
    'time: *[0-9]*\.[0-9]* s import'; do
    ok "the summary of -v has the line: $line" grep -x "$line" summary
done

# Each access in these loops makes a fixed number of loads and stores, so a thousand
# more iterations make a multiple of a thousand more.
cat >accesses.s <<'END'
        .globl _start
_start: mov (%rsp), %rbx
        imul $1000, %rbx
1:      addl $1, one(%rip)              # a load and a store
        dec %rbx
        jnz 1b
        mov (%rsp), %rcx
        imul $1000, %rcx
        lea many(%rip), %rdi
        rep stosb                       # a store an iteration
        mov $231, %eax
        xor %edi, %edi
        syscall
        .lcomm one, 4
        .lcomm many, 10000
END
"$CC" -nostdlib -static -o accesses accesses.s
# accesses ARGUMENT...: the loads and stores of the program with these arguments.
accesses() {
    run valgrind -v --tool=depsim ./accesses "$@" 2>&1 |
        sed -n 's/.*accesses: *\([0-9,]*\) loads, \([0-9,]*\) stores.*/\1 \2/p' |
        tr -d ,
}
# The count has one more store than iterations: the last one, whose condition is
# false because the count has run out.
ok "the summary counts loads and stores" is "1002 2001" accesses
ok "the count of accesses grows with the program's work" is "3002 6001" accesses x y
end_of_cases
