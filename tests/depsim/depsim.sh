#!/bin/sh
# depsim as a user calls it: what the program sees, what the database holds,
# what is refused, and that nothing is lost.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

### The program is not disturbed.

ok "depsim keeps the exit status of the program" exits 3 depsim sh -c 'exit 3'
ok "the exit status of a program that a signal ended is that of the signal" \
    exits 139 depsim sh -c 'kill -SEGV $$'
ok "a signal leaves no exit status, but a complete run" is "|1" sql deps.db \
    "SELECT exit_status, complete FROM run"
ok "the output of a program is what it prints without depsim" \
    is "a b" depsim sh -c 'echo a b; echo c >&2' 2>/dev/null

### The database.

rm -f deps.db
depsim /bin/true
ok "the default database is deps.db" test -f deps.db
ok "a complete run leaves no spool" test ! -e deps.db.spool
ok "the database describes the run" is "/bin/true|0|1|1|1" sql deps.db \
    "SELECT command, exit_status, complete, pid > 0, instructions > 10000
     FROM run"
ok "occurrences of a pair are the sum over all lifetime bounds" is 0 sql deps.db \
    "SELECT count(*) FROM dep WHERE occurrences != (SELECT sum(occurrences)
     FROM dep_lifetime l WHERE l.dep_id = dep.dep_id)"
ok "each smallest and largest distance lies in a bound that was counted" is 0 \
    sql deps.db "SELECT count(*) FROM dep WHERE min_distance > max_distance OR
     max_distance > (SELECT max(lifetime) FROM dep_lifetime l
                     WHERE l.dep_id = dep.dep_id)"
ok "build-ids are those that readelf prints" is \
    "$(readelf -n /bin/true | sed -n 's/.*Build ID: //p')" \
    sql deps.db "SELECT build_id FROM object WHERE path LIKE '%/bin/true'"

cp /bin/true stripped
objcopy --remove-section .note.gnu.build-id stripped
depsim ./stripped
ok "a file without a build-id is known by its SHA-256" is \
    "$(sha256sum stripped | cut -d ' ' -f 1)" \
    sql deps.db "SELECT build_id FROM object WHERE path LIKE '%/stripped'"

depsim --lifetime=16,4 /bin/true
ok "--lifetime chooses the bounds that are counted" is "4
16" sql deps.db "SELECT DISTINCT lifetime FROM dep_lifetime ORDER BY 1"
ok "beyond the largest bound nothing is recorded" is 1 sql deps.db \
    "SELECT max(max_distance) <= 16 FROM dep"

depsim --append=yes /bin/true
ok "--append=yes adds a run" is 2 sql deps.db "SELECT count(*) FROM run"
depsim --append=no /bin/true
ok "--append=no replaces all runs" is "1|1" sql deps.db \
    "SELECT count(*), count(DISTINCT run_id) FROM run
     JOIN (SELECT DISTINCT run_id FROM dep) USING (run_id)"

depsim sh -c '(exit 1); (exit 2); exit 4'
ok "forked children are runs of their own" is "1
2
4" sql deps.db "SELECT exit_status FROM run WHERE complete ORDER BY 1"

depsim --deps-file=%q{NAME}.%p.db true 2>/dev/null
NAME=x depsim --deps-file='%q{NAME}.db' true
ok "--deps-file expands %q" test -f x.db

### What programs do that is hard on a tool.

compile fault <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>
static char *page;
static long seen;
static void handler(int n, siginfo_t *info, void *context)
{
    seen = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RCX];
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
int main(void)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    long stored;
    page = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaction(SIGSEGV, &action, 0);
    /* One register is written before and after the access. */
    __asm__ volatile("mov $41, %%rcx\n inc %%rcx\n mov %%rcx, (%1)\n"
                     "mov (%1), %0\n mov $7, %%ecx"
                     : "=&r"(stored) : "r"(page) : "rcx", "memory");
    printf("%ld %ld\n", seen, stored);
    /* Nobody needs the value, but the load faults. */
    mprotect(page, 4096, PROT_NONE);
    seen = 0;
    __asm__ volatile("mov $43, %%rcx\n mov (%0), %%rax\n mov $1, %%eax"
                     : : "r"(page) : "rax", "rcx", "memory");
    printf("%ld\n", seen);
    return 0;
}
END
ok "a fault handler sees all registers, and may restart the access" is "42 42
43" depsim ./fault

compile thread -pthread <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static void *thread(void *argument)
{
    return argument;
}
int main(int argc, char **argv)
{
    pthread_t t;
    signal(SIGCHLD, SIG_IGN);
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    if (argc > 1)
        abort();
    return 6;
}
END
ok "a program may ignore its children" exits 6 depsim ./thread
depsim ./thread 2>message
ok "a program that ignores its children gets no message" test ! -s message
ok "the exit status of a program that ignores its children is recorded" \
    is 6 sql deps.db "SELECT exit_status FROM run"
depsim ./thread abort 2>/dev/null
ok "a thread that ended gives a killed process no exit status" is "" \
    sql deps.db "SELECT exit_status FROM run"

### Runs at the same time.

rm -f deps.db*
for i in 1 2 3 4 5 6; do
    depsim --append=yes sh -c "exit $i" &
done
wait
ok "six runs at the same time are all in one database" \
    is "1 2 3 4 5 6" sql -separator ' ' \
    deps.db "SELECT group_concat(exit_status, ' ') FROM
             (SELECT exit_status FROM run ORDER BY 1)"
ok "six runs leave no file beside the database" only deps.db

### Client requests.

compile request -I"$root/depsim" <<'END'
#include "depsim.h"
volatile long before, during, after;
int main(void)
{
    for (int i = 0; i < 10; i++)
        before++;
    DEPSIM_START;
    for (int i = 0; i < 20; i++)
        during++;
    DEPSIM_STOP;
    for (int i = 0; i < 30; i++)
        after++;
    return 0;
}
END
depsim --record-from-start=no ./request
ok "only what executes between the client requests is recorded" \
    is 19 sql deps.db "SELECT max(occurrences) FROM dep"
ok "only executions between the client requests are counted" is 20 sql deps.db \
    "SELECT sum(executions) FROM segment JOIN dep ON dst_object = object_id
     WHERE occurrences = 19 AND dst >= start AND dst < \"end\""
ok "client requests do nothing without Valgrind" ./request

### Trouble.

echo hello >text.txt
cp deps.db good.db
head -c 6000 good.db >truncated.db
head -c 200 good.db >cut.db
sqlite3 foreign.db "CREATE TABLE t(x)"
sqlite3 other.db "PRAGMA application_id = 7; CREATE TABLE t(x)"
cp good.db future.db
sqlite3 future.db "PRAGMA user_version = 99"
mkdir directory
for file in text.txt truncated.db cut.db foreign.db other.db future.db; do
    cp $file copy
    ok "depsim refuses $file as a database" refuses_run $file --deps-file=$file
    ok "a refused $file is not changed" cmp $file copy
done
ok "depsim refuses a directory as a database" refuses_run directory --deps-file=directory
ok "depsim refuses a database in a missing directory" \
    refuses_run missing/x.db --deps-file=missing/x.db
ok "depsim refuses a database in an unwritable directory" \
    refuses_run /proc/x.db --deps-file=/proc/x.db
for option in --lifetime= --lifetime=0 --lifetime=1,x --append=maybe \
    --deps-file= --record-from-start=1; do
    ok "depsim refuses $option" refuses_run -- $option
done
ok "depsim does not run the program if it refuses an option" test ! -e has-run

# A program that puts a directory in the way of its own database.
compile spoil <<'END'
#include <stdio.h>
#include <sys/stat.h>
int main(void)
{
    rename("deps.db", "moved.db");
    return mkdir("deps.db", 0777) == 0 ? 5 : 1;
}
END
cp deps.db before.db
ok "a run whose import fails keeps its exit status" exits 5 depsim ./spoil
ok "a run whose import fails keeps its spool" test -s deps.db.spool
cmp -s before.db moved.db && echo same >same
ok "a run whose import fails does not change the database" test -s same
rmdir deps.db
cp deps.db.spool first.spool
depsim ./spoil 2>/dev/null
ok "a spool is left as it was by the next run whose import fails" cmp deps.db.spool first.spool
ok "the next run whose import fails leaves a spool of its own" \
    test "$(ls deps.db.spool.* | wc -l)" -eq 1
rm deps.db.spool.*
rmdir deps.db
head -c 500 deps.db.spool >damaged.spool
ok "depsim-import imports the spool of a failed import" "$import" deps.db.spool deps.db
ok "an imported spool has all that the run recorded" is "5|1" sql deps.db \
    "SELECT exit_status, (SELECT count(*) FROM dep) > 100 FROM run"
ok "depsim-import removes the spool that it has imported" test ! -e deps.db.spool

mkdir "it's"
(cd "it's" && ! depsim ../spoil 2>message && rmdir deps.db && imports message)
ok "the printed import command works for any path" \
    test -s "it's/deps.db" -a ! -e "it's/deps.db.spool"

cp deps.db before.db
ok "depsim-import refuses a damaged spool" refuses depsim-import damaged.spool \
    "$import" damaged.spool deps.db
ok "depsim-import refuses a text file" refuses depsim-import text.txt \
    "$import" text.txt deps.db
ok "depsim-import refuses a missing spool" refuses depsim-import missing \
    "$import" missing deps.db
ok "depsim-import refuses a single operand" refuses depsim-import usage "$import" x
ok "refused imports leave the database as it was" cmp deps.db before.db

end_of_cases
