#!/bin/sh
# depbound --record: a program is run in depsim first.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

compiler=${CC:-cc}
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

report() {
    run depbound --llvm-mca=none --cpu="$srcdir/data/machine.json" "$@"
}
leaves_nothing() {
    test -z "$(ls temporary)"
}
reports() {
    report --record ./program >text 2>said && cat text said &&
        grep -q 'windows of what ran' text && grep -q ' main' text && leaves_nothing
}
ok "a program is recorded with windows, and reported" reports
is_apart() {
    grep -q -x 'arguments: 0, none' said && ! grep -q 'arguments:' text
}
ok "what the program prints goes to standard error" is_apart
passes_on() {
    report --format=json --record ./program 3 --top=1 >json 2>said
    test $? -eq 0 && cat said && grep -q -x 'arguments: 2, 3' said
}
ok "all that follows the program are its own arguments" passes_on
tells() {
    grep -q -x 'depbound: ./program: exit status 3' said && jq -e .windows json
}
ok "a program that fails is told, and reported" tells
keeps() {
    report --deps-file=kept.db --record ./program >/dev/null 2>&1 &&
        report ./program kept.db >again && grep -q 'windows of what ran' again
}
ok "what was recorded is kept if a file is named" keeps
finds() {
    PATH=$tmp:$PATH report --record program >text 2>said && grep -q ' main' text
}
ok "a program without a slash in its name is found in PATH" finds
ok "a program that is not there is an error" \
    refuses depbound nosuch depbound --record nosuch
ok "a program must follow" refuses depbound --record depbound --record
ok "no other program can be given" \
    refuses depbound --record depbound ./program --record ./program
ok "a file for what is recorded needs a program to record" \
    refuses depbound --deps-file depbound --deps-file=x.db ./program

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

end_of_cases
