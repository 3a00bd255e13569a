#!/bin/sh
# Several programs in one recording, those that were not recorded, and the time of
# a second run.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# recorded ARGUMENT...: a report of a run, whatever it prints.
recorded() {
    ends 0 "$cpu" --llvm-mca=none "$@"
}

cat >work.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* work N FILE: works, counts in the file how often it ran, and says what it reads. */
int main(int argc, char **argv)
{
    volatile long sum = 0;
    long n = atol(argv[1]);
    FILE *file = fopen(argv[2], "a");
    char word[20];

    for (long i = 0; i < n; i++)
        sum += i;
    fputs("ran\n", file);
    if (scanf("%19s", word) == 1)
        printf("read %s\n", word);
    return argc > 3 ? ftell(file) > 4 : 0;
}
END
"$compiler" -O1 -g -o work work.c
cp work other
sh=$(realpath "$(command -v sh)")
lost() {
    recorded --record sh -c './work 9 count; ./work 9 count; ./other 9 count; :' </dev/null &&
        has '^[a-z]* started 3 programs that were not recorded (work 2 times, other): --record --tr'
}
ok "the report names the programs that were started and not recorded" lost
becomes() {
    recorded --record env ./work 9 count </dev/null &&
        has '^env started 1 program that was not recorded (work): --record --trace-children rec'
}
ok "a wrapper that another program replaces is said to have started it" becomes
traces() {
    recorded --deps-file=all.db --record --trace-children \
        sh -c './work 100000 count; ./work 900000 count' </dev/null &&
        has "^ *[0-9.]*% .* 2  $tmp/work (this report)" "^ *[0-9.]*% .* $sh\$" '^.* main' &&
        ! grep 'not recorded' out
}
ok "with --trace-children the report is of the program with most instructions" traces
of_others() {
    holds '(.programs | length) == 2 and ([.programs[].share] | add | fabs - 100 | fabs < .01)
        and .not_recorded == [] and .programs[0].reported and (.programs[1].reported | not)
        and .programs[0].instructions == .instructions and
        (.program.cycles / .programs[0].cycles - 1 | fabs) < 1e-9' work all.db &&
        holds '.programs[1].reported and .programs[1].instructions == .instructions' \
            "$sh" all.db
}
ok "a report counts only the runs of its program" of_others
ok_if "$has_schemas" "$no_schemas" "several programs match the schema" \
    of_schema --time=1 --clock=1 work all.db
script() {
    printf '#!%s\n./work 9 count\n./other 9 count\n' "$sh" >script && chmod +x script &&
        recorded --record ./script </dev/null &&
        has "^./script is a script: this report is of $sh, which ran it\\.\$" \
            '^[a-z]* started [12] program.* not recorded ('
}
ok "the report of a script says which program ran it" script
ok "a script that is not recorded is refused" says \
    "depbound: script: a script; name the program that runs it, or use --record" script all.db
percents() {
    mkdir -p 100%p && recorded --deps-file=100%p/%n.db --record ./work 9 count </dev/null &&
        [ -s 100%p/%n.db ]
}
ok "a percent sign in the name of a file to keep stands for itself" percents

# --- Variants ---

cat >length.c <<'END'
#include <string.h>
int main(void)
{
    static char text[4000];
    size_t (*volatile length)(const char *) = strlen;
    size_t sum = 0;

    memset(text, 'a', sizeof text - 1);
    for (int i = 0; i < 10000; i++)
        sum += length(text);
    return sum == 0;
}
END
"$compiler" -O1 -g -o length length.c
run valgrind -q --tool=depsim --windows=64 --deps-file="$tmp/length.db" ./length
run valgrind -q --tool=none "$(realpath "$builddir/../depbound/depbound")" --variants |
    grep '	strlen	' >strlen || :
libc=$(cut -f 1 strlen)
# Valgrind is said to have another function there.
variants() {
    fake valgrind <<END
sed 's/strlen/of_valgrind/' '$tmp/strlen'
END
    PATH=$tmp/fake:$PATH ends 0 --llvm-mca=none "$libc" length.db &&
        has '^[1-9][0-9]* % of the cycles are in variants of of_valgrind that this processor' &&
        PATH=$tmp/fake:$PATH ends 0 --llvm-mca=none --format=json "$libc" length.db &&
        jq -e '.other_variants | .functions == "of_valgrind" and .share > 50' out
}
same_variants() {
    fake valgrind <<END
cat '$tmp/strlen'
END
    run depbound --variants >here
    grep -q -x -F -f strlen here || { echo "native: other strlen"; return 0; }
    PATH=$tmp/fake:$PATH ends 0 --llvm-mca=none "$libc" length.db && ! grep 'variants of' out
}
kept_variants() {
    fake valgrind <<END
[ "\$1" != --version ] || { echo valgrind-9; exit; }
echo ran >>'$tmp/ran'
cat '$tmp/strlen'
END
    : >ran
    for _ in 1 2; do
        XDG_CACHE_HOME=$tmp/kept PATH=$tmp/fake:$PATH ends 0 "$libc" length.db || return 1
    done
    [ "$(cat ran)" = ran ]
}
if [ -s strlen ] && sqlite3 length.db 'SELECT path FROM object' | grep -q -x -F "$libc"; then
    ok "variants that only Valgrind's processor takes are named with their cycles" variants
    ok "variants that the processor takes, too, are not named" same_variants
    ok_if "command -v llvm-mca-19" "there is no llvm-mca-19" \
        "a version of Valgrind is asked for its variants once" kept_variants
else
    skip "variants of the C library" "it has none, or another is used"
fi

# --- Time ---

measures() {
    echo word >input
    rm -f count
    recorded --format=json --record --native "$@" ./work 1000 count <input &&
        equal "$(cat count)" "ran
ran" && equal "$(grep read err)" "read word
read word" && jq -e '.measured | .user >= 0 and .system >= 0 and .not_compared != null and
            (.differs | not)' out
}
ok "the second run reads the same input, and both print to standard error" measures
ok "a second run that waits for a quiet core reads and prints the same" \
    measures --wait=1
only_part() {
    rm -f count
    recorded --record --native ./work 9 count fails </dev/null &&
        has 'Not compared: the second run ended with another status' && [ "$(wc -l <count)" = 2 ]
}
ok "a second run that ends with another status is not compared" only_part
pipe() {
    rm -f count
    echo word | last_says '^depbound: --native: standard input cannot be read twice' \
        run depbound --record --native ./work 9 count && [ ! -e count ]
}
ok "standard input that cannot be read twice is refused before the program runs" pipe
run valgrind -q --tool=depsim --windows=64 --deps-file="$tmp/long.db" \
    ./work 1000000 count </dev/null
recorded --format=json --clock=0.005 --time=9 work long.db >json
modelled=$(jq .measured.modelled out)
echo "# modelled $modelled s"
differs() {
    holds '.measured.differs and (.verdict | test("^Measured 9 s, modelled 0.*leave out 9"))' \
        --clock=0.005 --time=9 work long.db &&
        recorded --clock=0.005 --time=9 work long.db &&
        has '^Measured: 9 s\.  Modelled: 0\.[0-9]* s' '^Measured 9 s, modelled'
}
ok "the verdict begins with a measured time that differs" differs
agrees() {
    holds '(.measured.differs | not) and (.verdict | test("^Measured") | not) and
        .measured.not_compared == null' --clock=0.005 --time="$modelled" work long.db
}
ok "a measured time that does not differ is not in the verdict" agrees
is_high() {
    holds '.measured.differs and (.verdict | test("^Measured .* are [0-9]+ % too high"))' \
        --clock=0.001 --time="$modelled" work long.db
}
ok "the verdict says that figures are too high" is_high
while IFS='|' read -r message arguments; do
    # shellcheck disable=SC2086 # words of their own
    ok "depbound refuses $arguments" says "depbound: $message" $arguments
done <<'END'
--trace-children: only with --record|--trace-children work
--native: only with --record|--native work long.db
--time: needs a deps.db or --record|--time=1 work
--time: takes no --native, which measures it|--time=1 --native --record work
--time: with --cpu, it needs --clock|--time=1 work long.db
--time=x: must be a number of seconds above 0|--time=x work long.db
END

end_of_cases
