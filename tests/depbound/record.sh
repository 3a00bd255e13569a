#!/bin/sh
# depbound --record: a program is run in depsim first.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

mkdir temporary
export TMPDIR="$tmp/temporary"

cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

volatile long sum;

int main(int argc, char **argv)
{
    for (int i = 0; i < 20000; i++)
        sum += i;
    printf("arguments: %d, %s\n", argc - 1, argc > 1 ? argv[1] : "none");
    fflush(stdout);
    if (argc > 3)
        sleep(60);
    return argc > 1 ? atoi(argv[1]) : 0;
}
END
"$compiler" -O1 -g -o program program.c

# recorded ARGUMENT...: a report with costs from a file and without llvm-mca, in out; what
# the program printed is in err.
recorded() {
    ends 0 "$cpu" --llvm-mca=none "$@"
}
leaves_nothing() {
    test -z "$(ls temporary)"
}
reports() {
    recorded --verbose --record ./program && has 'windows of what ran' ' main' &&
        leaves_nothing && cp out text && cp err said
}
ok "a program is recorded with windows, and reported" reports
is_apart() {
    grep -q -x 'arguments: 0, none' said && ! grep -q 'arguments:' text
}
ok "what the program prints goes to standard error" is_apart
has_clock() {
    ends 0 --llvm-mca=none --record ./program && has ' cycles an iteration.* ([0-9.]* ns)' \
        '^[0-9.e+]* cycles ([0-9.]* [mu]s at [0-9.]* GHz), [iw]' &&
        recorded --format=json --record ./program && jq -e '.clock == null' out
}
is_x86='[ "$(uname -m)" = x86_64 ]'
ok_if "$is_x86" "this is no x86-64" \
    "with this processor's figures, times are told at its clock" has_clock

# Most sums are of one place: which one, an index from memory says, or a pointer.
cat >sums.c <<'END'
#include <pthread.h>

#define N 4000
static double sums[8];
static unsigned char which[N];
static double *place[N];

__attribute__((noinline)) void by_index(double x)
{
    for (int i = 0; i < N; i++)
        sums[which[i]] += x;
}

__attribute__((noinline)) void by_pointer(double x)
{
    for (int i = 0; i < N; i++)
        *place[i] += x;
}

static void *other(void *x)
{
    for (int i = 0; i < 20; i++)
        by_index(2);
    return x;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    (void)argv;
    for (int i = 0; i < N; i++) {
        which[i] = 3;
        place[i] = &sums[5];
    }
    for (int i = 0; i < 20; i++)
        argc < 2 ? by_index(1) : by_pointer(1);
    if (argc > 2 && pthread_create(&thread, 0, other, 0) == 0)
        pthread_join(thread, 0);
    return sums[0] > 1;
}
END
"$compiler" -O1 -g -pthread -o sums sums.c
by_index() {
    recorded --record ./sums && has \
        '^  several copies, by turns: at best [0-9.]* (-[0-9]* %)' \
        'data say which place it is: several copies' \
        '^Not modelled: what is not in the first cache takes longer'
}
ok "several copies are advised where data say which place is added to" by_index
by_pointer() {
    recorded --record ./sums 1 && has '^  in a register: [0-9.]* (-[0-9]* %)'
}
ok "a register is advised for what a pointer from memory leads to" by_pointer
of_threads() {
    recorded --record ./sums 1 2 &&
        has '^Not modelled: what passes between threads takes longer; what'
}
ok "the report says that values passed between threads are left out" of_threads
cat >divides.c <<'END'
#include <stdlib.h>
static unsigned long keys[1000];
long table[64];
int main(int argc, char **argv)
{
    unsigned long n = argc + 60;
    long sum = 0;

    (void)argv;
    for (int i = 0; i < 1000; i++)
        keys[i] = i * 7919;
    for (int k = 0; k < 50; k++)
        for (int i = 0; i < 1000; i++)
            sum ^= table[keys[i] % n];
    return sum != 0;
}
END
divides() {
    "$compiler" -O1 -g -o divides divides.c &&
        recorded --cpu=znver5 --top=1 --format=json --record ./divides &&
        jq -e '.loops[0] | .limited_by == "units" and
            (.advice | test("^Divisions or square roots keep their unit"))' out
}
ok_if "$is_x86" "this is no x86-64" \
    "fewer divisions are advised where these keep their unit" divides
# A loop that only waits for another thread, one that calls, and a program without loops.
cat >waits.c <<'END'
#include <pthread.h>
#include <unistd.h>

static volatile int flag;

__attribute__((noinline)) static void spin(void)
{
    while (flag == 0)
        ;
}

static void *other(void *x)
{
    spin();
    return x;
}

int main(void)
{
    pthread_t thread;

    if (pthread_create(&thread, 0, other, 0) != 0)
        return 1;
    usleep(20000);
    flag = 1;
    return pthread_join(thread, 0);
}
END
cat >calls.c <<'END'
__attribute__((noinline)) static int of(int x)
{
    __asm__("" : "+r"(x));
    return x + 1;
}

int main(int argc, char **argv)
{
    int x = argc;

    (void)argv;
#ifdef LOOP
    for (int i = 0; i < 1000; i++)
#endif
        x = of(x);
    return x == 0;
}
END
"$compiler" -O1 -g -pthread -o waits waits.c && "$compiler" -O1 -g -o straight calls.c &&
    "$compiler" -O1 -g -DLOOP -o calls calls.c
spins() {
    recorded --cpu=znver4 --record --source=waits.c ./waits && has \
        '^Most cycles: spin  waits.c:8: waits for another thread, which stores flag at waits.c:25; [0-9]* % of' &&
        ! grep 'would be faster' out
}
ok "a loop that only loads is said to wait for another thread, without advice" spins
no_loops() {
    recorded --cpu=znver4 --record ./straight && has '^0 loops' \
        '^No \(known \)\?dependency through memory costs more than 1 %\|^Waits for caches'
}
ok "a run without loops has a verdict, too" no_loops
calls() {
    recorded --cpu=znver4 ./calls &&
        has '^What loops call is not counted; --record tells more\.$'
}
ok "without a run the verdict says that calls are not counted" calls
# A value that one function stores, and another one loads.
cat >passes.c <<'END'
static double place[2];

__attribute__((noinline)) static void put(double x)
{
    place[0] = x;
}

__attribute__((noinline)) static double get(void)
{
    return place[0] * 0.5 + 1;
}

int main(void)
{
    for (int i = 0; i < 20000; i++)
        put(get());
    return place[0] > 3;
}
END
"$compiler" -O1 -g -fno-ipa-ra -o passes passes.c
shows_pair() {
    recorded --cpu=znver4 --record ./passes &&
        has '^passes.c:10 waits for passes.c:5, through place\[0\], ' &&
        grep -A1 '^  passes.c:5  *place\[0\] = x;$' out | grep '^  *<  movs' &&
        grep -A1 '^  passes.c:10  *return place\[0\] \* 0.5 + 1;$' out | grep '^ *[1-9][0-9.]* >  ' &&
        recorded --cpu=znver4 --format=html --record ./passes &&
        has '<td class=n>[0-9.]*<td class=where>passes.c:10<td>return place\[0\] \* 0.5 + 1;</tr>'
}
ok "the verdict's store and load in different functions are shown with their source" shows_pair
# told TEXT ARGUMENT...: has standard error this line, with a report in JSON?
told() {
    text=$1
    shift
    recorded --format=json --record "$@" && grep -q -x -e "$text" err && jq -e .windows out
}
passes_on() {
    told 'arguments: 2, 3' ./program 3 --top=1
}
ok "all that follows the program are its own arguments" passes_on
ok "a program that fails is named, and reported" \
    grep -q -x 'depbound: ./program: exit status 3' err
ok "the message about a program that a signal ended names the signal" \
    told 'depbound: sh: ended by signal 15' sh -c 'kill -TERM $$'
ok "the message about a program that Valgrind cannot run says what to do" \
    told 'depbound: sh: ended by signal 4: Valgrind .*; the report is of what ran.*' \
    sh -c 'kill -ILL $$'
before_program() {
    recorded --record --format=json --top 1 ./program 3 --format=text &&
        grep -q -x 'arguments: 2, 3' err && jq -e '(.loops | length) == 1' out
}
ok "options between --record and the program are depbound's own" before_program
after_dashes() {
    cp program -- -program && recorded --record --format=json -- ./-program &&
        jq -e .windows out && PATH=$tmp:$PATH recorded --verbose --record -- -program &&
        has ' main'
}
ok "after --record -- comes the program, whatever its name" after_dashes
ok "an unknown option between --record and the program is an error" \
    refuses depbound --no-such depbound --record --no-such ./program
ok "options after --record need a program, too" \
    refuses depbound --record depbound --record --format=json
keeps() {
    recorded --deps-file=kept.db --record ./program &&
        recorded --verbose ./program kept.db && has 'windows of what ran'
}
ok "what was recorded is kept if a file is named" keeps
finds() {
    mkdir -p first/program &&
        PATH=$tmp/first:$tmp:$PATH recorded --verbose --record program && has ' main'
}
ok "a program without a slash in its name is found in PATH, after a folder" finds
ok "the error for a program of this folder says that it is run by ./" \
    last_says 'sums: not found in PATH; .*, run ./sums$' run depbound --record sums
ok "a program that is not there is an error" refuses depbound nosuch depbound --record nosuch
ok "--record without a program is refused" refuses depbound --record depbound --record
ok "--record after the program is an error that says where it stands" \
    last_says 'must stand before the program: depbound --record ./program$' \
    run depbound ./program --top=1 --record
ok "a second program beside that of --record is refused" \
    refuses depbound --record depbound ./program --record ./program
ok "a file for what is recorded needs a program to record" \
    refuses depbound --deps-file depbound --deps-file=x.db ./program

vanishes() {
    sed 's/int main(.*/&{ remove(argv[0]); return run(argc, argv); }/
        s/int main/static int run(int argc, char **argv);\n&/' program.c |
        awk '/return run/ { print; print "static int run(int argc, char **argv)"; next }
            { print }' >vanishes.c
    "$compiler" -O1 -g -o vanishes vanishes.c &&
        recorded --verbose --record ./vanishes && [ ! -e vanishes ] &&
        has 'windows of what ran' && leaves_nothing
}
ok "a program that removes itself is reported" vanishes
stale() {
    fake valgrind <<'END' && PATH=$tmp/fake:$PATH refuses depbound ./program depbound \
        --deps-file=kept.db --record ./program
exit 1
END
}
ok "what was recorded earlier is not reported if a run fails to record" stale

# In a session of its own the signal reaches all programs, as one from a terminal does.
interrupt() {
    setsid env --default-signal=INT "$root/scripts/run-in-tree" depbound \
        --llvm-mca=none --record ./program 0 1 2 >/dev/null 2>said &
    until grep -q 'arguments: 3' said || ! kill -0 $!; do sleep 0.1; done
    kill -INT "-$!"
    status=0
    wait $! || status=$?
    ls temporary
    [ $status -eq 130 ] && leaves_nothing
}
ok "an interrupt ends both programs and leaves no file behind" interrupt

# --- A program that does not end ---

# is_gone PID: has a process ended?  Nobody may have asked how.
is_gone() {
    ! grep '^State:[^Z]*$' "/proc/$1/status" 2>/dev/null
}

# terminate COMMAND...: ends depbound by SIGTERM when a program that it runs has written
# the file "pids", which has its number and those of its children.
terminate() {
    rm -f pids
    PATH=$tmp/fake:$PATH "$root/scripts/run-in-tree" "$@" >/dev/null 2>said &
    until [ -s pids ] || ! kill -0 $!; do sleep 0.1; done
    kill -TERM $!
    status=0
    wait $! || status=$?
    cat said
    ls temporary
    [ $status -eq 143 ] && leaves_nothing || return
    for pid in $(cat pids); do
        is_gone "$pid" || return
    done
}
fake valgrind <<'END'
trap '' TERM
echo $$ >pids.new
mv pids.new pids
exec sleep 1000
END
ok "SIGTERM ends depbound although the program that it records ignores it" \
    terminate depbound --record ./program
fake as <<'END'
trap '' TERM
sleep 1000 &
echo $$ $! >pids.new
mv pids.new pids
wait
END
echo nop >source.s
ok "SIGTERM ends depbound although the assembler and its child ignore it" \
    terminate depbound --llvm-mca=none source.s
fake valgrind <<'END'
trap '' TERM
for option; do
    case $option in
    --deps-file=*)
        mkdir "${option#*=}.folder"
        echo left >"${option#*=}.spool"
        ;;
    esac
done
echo $$ >pids.new
mv pids.new pids
exec sleep 1000
END
ok "a recording that is killed leaves none of its files behind" \
    terminate depbound --record ./program
rm fake/valgrind
cat >stubborn.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    FILE *file = fopen("pids.new", "w");

    signal(SIGTERM, SIG_IGN);
    fprintf(file, "%ld\n", (long)getpid());
    fclose(file);
    rename("pids.new", "pids");
    for (;;)
        pause();
}
END
"$compiler" -o stubborn stubborn.c
ok "SIGTERM ends a program in depsim that ignores it, and leaves no file behind" \
    terminate depbound --record ./stubborn

# dies_in_start COMMAND...: ends depbound by SIGTERM while it starts another program.
# Signals are blocked then, so it comes as soon as the program runs.
dies_in_start() {
    status=0
    PATH=$tmp/fake:$PATH "$root/scripts/run-in-tree" strace -o trace \
        -e trace=clone3,clone,vfork -e inject=clone3,clone,vfork:signal=TERM \
        "$@" >/dev/null 2>&1 || status=$?
    cat trace
    ls temporary
    pid=$(sed -n '/^clone\|^vfork/s/.*= \([0-9][0-9]*\).*/\1/p' trace)
    [ $status -eq 143 ] && leaves_nothing && [ -n "$pid" ] && is_gone "$pid"
}
for name in valgrind as; do
    fake $name <<'END'
exec sleep 1000
END
done
if has_ptrace && ! is_sanitized depbound/depbound; then
    ok "SIGTERM while depsim is started leaves no process behind" \
        dies_in_start depbound --record ./program
    ok "SIGTERM while the assembler is started leaves no process behind" \
        dies_in_start depbound --llvm-mca=none source.s
else
    skip "SIGTERM while depsim or the assembler is started" \
        "there is no strace, or it may not trace, or a sanitizer"
fi
rm -r fake

# --- Progress on a terminal ---

# on_terminal COMMAND: runs it on a terminal of 60 columns.  What it writes there goes to
# "shown", in one line, with ^ for escapes; what is not progress goes to "rest".  A line of
# progress saves the cursor and restores it.
on_terminal() {
    TERM=${term-xterm} COLUMNS=60 SHELL=/bin/sh script -qefc "$1" typescript </dev/null \
        >/dev/null
    sed '/^Script \(started\|done\)/d' typescript | tr -d '\r\n' | tr '\033' '^' >shown
    sed 's/\^D\^\[A\^7\^\[Kdepbound: [^^]*\^8//g; s/\^\[J//g' shown >rest
    cat shown
}
depbound="$root/scripts/run-in-tree depbound --llvm-mca=none --record"
cat >quiet.c <<'END'
#include <stdio.h>
#include <unistd.h>
volatile long sum;
int main(int argc, char **argv)
{
    for (int i = 0; i < 20000; i++)
        sum += i;
    if (argc > 1) {
        fputs("question? ", stdout);
        fflush(stdout);
    }
    sleep(4);
    return argv == NULL;
}
END
"$compiler" -O1 -g -o quiet quiet.c
own="depbound: ./quiet ran in Valgrind; times that it printed are not its own"
progress() {
    on_terminal "$depbound ./quiet >text" &&
        grep -q 'depbound: ./quiet runs in depsim, for [1-9][0-9]* s so far^8' shown &&
        grep -q 'depbound: analyses the code of ./quiet^8' shown &&
        grep -q 'depbound: simulates what ran of ./quiet^8^\[J$' shown &&
        [ "$(tr -d '\r' <rest)" = "$own" ] && grep -q ' main' text
}
question() {
    on_terminal "$depbound ./quiet 1 >text" && grep -q question shown &&
        [ "$(tr -d '\r' <rest)" = "question? $own" ]
}
dumb() {
    term=dumb on_terminal "$depbound ./quiet >text" && [ ! -s shown ] &&
        grep -q ' main' text
}
narrow() {
    name=./a-program-with-a-long-name-that-fills-more-than-a-line-of-the-terminal
    cp quiet $name && on_terminal "$depbound $name >text" &&
        grep -o 'depbound: [^^]*\.\.\.^' shown >lines &&
        [ -s lines ] && [ -z "$(awk 'length > 60' lines)" ]
}
ends_in_line() {
    fake valgrind <<END &&
until grep -q 'so far' '$tmp/typescript'; do sleep 0.1; done
kill -TERM \$PPID
exec sleep 1000
END
        PATH=$tmp/fake:$PATH on_terminal "$depbound ./quiet"
    rm -r fake
    grep -q 'so far^8^\[J' shown && ! grep -q 'depbound' rest
}
plain() {
    report --record ./quiet
}
if has_terminals; then
    ok "on a terminal a line of progress is shown, and erased" progress
    ok "nothing is erased of what the program writes" question
    ok "a terminal without escape sequences shows no progress" dumb
    ok "the line of progress is cut to the width of the terminal" narrow
    ok "a signal that ends depbound erases the line of progress" ends_in_line
else
    skip "progress on a terminal" "there are no terminals"
fi
ok "without a terminal no progress is shown" plain

end_of_cases
