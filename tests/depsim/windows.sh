#!/bin/sh
# What --windows records, and what ends a window.  oracle/windows.sh compares their
# contents with lackey's trace.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# The functions of each program below that windows may be in.
compile work -I"$root/depsim" -pthread <<'END'
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <depsim.h>

#define WORK(name)                                                    \
    __attribute__((noinline)) static long name(volatile long *p, int n) \
    {                                                                 \
        for (int i = 0; i < n; i++)                                   \
            p[i & 63] += p[i * 7 & 63] + i;                           \
        return p[0];                                                  \
    }
WORK(first)
WORK(second)
WORK(handled)

__attribute__((noinline)) static void tiny(volatile long *p)
{
    p[0] += p[1];
}

static volatile long a[64], b[64], c[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number)
{
    (void)number;
    handled(c, 10000);
}

static sigjmp_buf back;
static volatile long *volatile nowhere;

static void faulted(int number)
{
    handler(number);
    siglongjmp(back, 1);
}

static void *thread(void *unused)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&mutex);
        second(b, 10000);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void threads(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread, NULL);
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&mutex);
        first(a, 10000);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(t, NULL);
}

static void forks(void)
{
    pid_t pid;

    first(a, 50000);
    pid = fork();
    if (pid == 0) {
        second(b, 50000);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "threads") == 0) {
        threads();
    } else if (strcmp(what, "forks") == 0) {
        forks();
    } else if (strcmp(what, "signals") == 0) {
        signal(SIGUSR1, handler);
        for (int i = 0; i < 20; i++) {
            first(a, 1000);
            raise(SIGUSR1);
        }
    } else if (strcmp(what, "faults") == 0) {
        signal(SIGSEGV, faulted);
        for (int i = 0; i < 20; i++) {
            first(a, 1000);
            if (sigsetjmp(back, 1) == 0)
                second(nowhere, 1);
        }
    } else if (strcmp(what, "asks") == 0) {
        for (int i = 0; i < 20; i++) {
            first(a, 1000);
            DEPSIM_START;
            second(b, 1000);
        }
    } else if (strcmp(what, "execs") == 0) {
        first(a, 20000);
        if (execl("./not-a-program", "not-a-program", (char *)NULL) != 0)
            second(b, 20000);
    } else if (strcmp(what, "parts") == 0) {
        for (int i = 0; i < 1000; i++) {
            DEPSIM_START;
            second(b, 5);
            tiny(b);
            DEPSIM_STOP;
            first(a, 50);
        }
    } else if (strcmp(what, "requests") == 0) {
        first(a, 20000);
        DEPSIM_START;
        second(b, 50000);
        DEPSIM_STOP;
        first(a, 20000);
    } else {
        first(a, 50000);
        second(b, 50000);
    }
    return 0;
}
END
printf '#!' >not-a-program
chmod +x not-a-program
ok "the program is compiled" test -x work

# in_windows [WHERE]: a line "RUN START THREAD FUNCTION" for each function of the
# program that a window has, with the number of its instructions before it.
in_windows() {
    "$builddir/oracle/windows" deps.db >insns || return
    nm --defined-only -S -n work | awk '$3 ~ /^[tT]$/ && NF == 4' >functions
    gawk '
        NR == FNR {
            start[NR] = strtonum("0x" $1); end[NR] = start[NR] + strtonum("0x" $2)
            name[NR] = $4; n = NR
            next
        }
        $5 ~ /\/work$/ {
            a = strtonum("0x" $4)
            for (i = 1; i <= n; i++)
                if (a >= start[i] && a < end[i])
                    count[$1 " " $2 " " $3 " " name[i]]++
        }
        END { for (key in count) print count[key], key }
    ' functions insns | LC_ALL=C sort -k 3n
}

# windowed OPTION... COMMAND...: runs the command, and leaves in `seen` what its windows
# have.
windowed() {
    depsim "$@" 2>said
    in_windows >seen
}

# shared FUNCTION FUNCTION: does a window have both?
shared() {
    awk -v one="$1" -v other="$2" '
        $5 == one { has_one[$3] }
        $5 == other { has_other[$3] }
        END { for (start in has_one) n += start in has_other; exit !(n > 0) }' seen
}

# number SQL: of the database.
windows_are() {
    is "$1" sql deps.db "$2"
}

depsim ./work
ok "without --windows there are no windows" windows_are 0 \
    "SELECT count(*) FROM window"

depsim --windows=8:100 ./work
ok "a long run has between half of the windows and all" windows_are 1 \
    "SELECT count(*) BETWEEN 4 AND 8 FROM window"
ok "windows have as many instructions as were asked for" windows_are 100 \
    "SELECT group_concat(DISTINCT instructions) FROM window"
ok "windows lie within the run, apart from each other" windows_are 0 \
    "WITH next AS (SELECT start_timestamp + window.instructions AS end,
         coalesce(lead(start_timestamp) OVER (ORDER BY start_timestamp),
             run.instructions) AS bound
     FROM window JOIN run USING(run_id))
     SELECT count(*) FROM next WHERE end > bound"
ok "windows are spread over the run" windows_are 1 \
    "SELECT max(start_timestamp) > 0.7 * run.instructions AND
         min(start_timestamp) < 0.3 * run.instructions
     FROM window JOIN run USING(run_id)"

depsim --windows=1:100 ./work
ok "one window may be asked for" windows_are 1 \
    "SELECT count(*) BETWEEN 1 AND 2 FROM window"

# Everything but windows, of the program itself.
seen() {
    rm -f deps.db
    # shellcheck disable=SC2086 # words
    run $fixed valgrind -q --tool=depsim "$@" ./work
    sql deps.db "
        SELECT src, dst, dep.occurrences, min_distance, max_distance, lifetime,
            d.occurrences, same, contained, partial, several, crossing
        FROM dep JOIN dep_lifetime AS d USING(dep_id)
            JOIN object ON object_id = dst_object AND src_object = dst_object
        WHERE path LIKE '%/work' ORDER BY 1, 2, 6;
        SELECT start, \"end\", sum(executions)
        FROM segment JOIN object USING(object_id)
        WHERE path LIKE '%/work' GROUP BY 1, 2 ORDER BY 1, 2;
        SELECT instructions FROM run"
}
# The emulated machine's kernel does not randomise addresses.
fixed=${machine:+env}
[ -n "$fixed" ] || fixed="setarch $(uname -m) -R"
if $fixed true 2>/dev/null; then
    seen >without
    seen --windows=1000:100 --windows-apart=2 >with
    ok "windows do not change what else is recorded" sh -c \
        "[ -s without ] && cmp without with"
    sql deps.db "SELECT start_timestamp, hex(path) FROM window" >first
    seen --windows=1000:100 --windows-apart=2 >again
    sql deps.db "SELECT start_timestamp, hex(path) FROM window" >second
    ok "two runs have the same windows" sh -c "[ -s first ] && cmp first second"
    # What ran in 2100 windows could take more memory than may wait until the end.
    for n in 1900 2100; do
        seen --windows=$n:100 --windows-apart=20 >again
        sql deps.db "SELECT start_timestamp, hex(path), hex(accesses) FROM window" >$n
    done
    ok "windows that are made at their end are the same" sh -c \
        "[ -s 1900 ] && cmp 1900 2100"
else
    skip "windows do not change what else is recorded" "no setarch -R here"
    skip "two runs have the same windows" "no setarch -R here"
    skip "windows that are made at their end are the same" "no setarch -R here"
fi

windowed --windows=1000:100 ./work threads
ok "a window has instructions of its own thread only" awk '
    $5 == "first" && $4 != 0 || $5 == "second" && $4 != 1 { exit 1 }
    $5 == "first" { n++ }
    $5 == "second" { m++ }
    END { exit !(n > 0 && m > 0) }' seen

windowed --windows=1000:100 ./work forks
ok "a forked child has windows of its own" windows_are "1|2" \
    "SELECT min(n), count(*) FROM (SELECT count(*) > 5 AS n FROM window
     GROUP BY run_id)"
ok "the windows of a child have what it did since the fork" awk '
    $5 == "first" { runs[$2] }
    $5 == "second" && $2 in runs { exit 1 }
    END { for (run in runs) n++; exit n != 1 }' seen
ok "a run and its child recorded all that they executed" windows_are 1 \
    "SELECT min(recorded = instructions) FROM run"
ok "the windows of a child begin within its run" windows_are 0 \
    "SELECT count(*) FROM window JOIN run USING(run_id)
     WHERE start_timestamp + window.instructions > run.instructions"

windowed --windows=1000:1000 --windows-apart=2 ./work signals
ok "a window goes on in a signal handler" shared first handled

windowed --windows=1000:1000 --windows-apart=2 ./work faults
ok "a window goes on in the handler of a fault" shared second handled

windowed --windows=1000:1000 --windows-apart=2 ./work asks
ok "a window goes on after a client request" shared first second

windowed --windows=1000:100 ./work execs
ok "windows go on after an execve that failed" grep -q second seen

only_second() {
    awk '$5 == "second" { n++ } $5 != "second" { exit 1 } END { exit !(n > 0) }' seen
}
depsim --windows=1000:100 --record-from-start=no ./work requests
in_windows | grep -v ' main$' >seen
ok "windows have only what is executed while recording is on" only_second
windowed --windows=1000:100 --fn=second ./work
ok "windows have only what functions of --fn execute" only_second

# Each part is shorter than a window; its first superblock is there, too.
depsim --windows=1000:1000 --windows-apart=2 --record-from-start=no ./work parts
in_windows | grep -v ' main$\| tiny$' >seen
ok "windows go on from part to part of what is recorded" only_second
ok "many short parts have whole windows" windows_are "1|1000" \
    "SELECT count(*) > 0.9 * recorded / 2000, max(window.instructions)
     FROM window JOIN run"
ok "windows say where parts begin" windows_are 1 \
    "SELECT avg(length(gaps)) > 5 FROM window"
depsim --windows=1000:100 --windows-apart=2 --fn=tiny ./work parts
ok "a function of one superblock is in windows" windows_are 1 \
    "SELECT count(*) > 0.9 * recorded / 200 FROM window JOIN run"
depsim --windows=1000:100 ./work
ok "without stops windows have no gaps" windows_are 0 \
    "SELECT sum(length(gaps)) FROM window"

# What a run recorded, by the sums of its segments, which the summary has.
recorded_as_summed() {
    rm -f deps.db
    run valgrind -v --tool=depsim "$@" >said 2>&1 || return
    sed -n 's/.* instructions: *[0-9,]*, \([0-9,]*\) recorded$/\1/p' said |
        tr -d ,\\n >sum
    is "$(cat sum)" sql deps.db "SELECT recorded FROM run" && [ -s sum ]
}
ok "a run says how many instructions it recorded" \
    recorded_as_summed --record-from-start=no ./work requests
ok "a run says how many instructions the functions of --fn executed" \
    recorded_as_summed --fn=tiny ./work parts
windowed --windows=1000:100 --objects=nothing ./work
ok "windows are in all objects" sh -c '
    grep -q second seen && grep -q first seen'

for value in '' 0 -1 x 5: 5:0 :5 5:x 5:5:5 1000001 5:1000001 ' 5' 4294967301 \
    18446744073709551617 5:18446744073709551617; do
    ok "depsim refuses --windows=$value" refuses_run -- "--windows=$value"
done
end_of_cases
