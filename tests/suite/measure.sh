#!/bin/sh
# research/run measure: what it writes, and what it repeats.  No figure is
# compared: figures depend on the machine and its load.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

for program in parallel jq readelf objdump; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done

tested() {
    "$root/research/run" measure --results=results --again=0 "$@"
}

# field LOOP NAME: this field of the loop in the last run.
field() {
    jq -r --arg loop "$1" "select(.loop == \$loop) | .$2" results/cycles.jsonl
}

# The names of all functions that are measured as wholes.
sed -n 's/^WHOLE(\(.*\))$/\1/p' "$root"/research/suite/cycles/loops/whole/*.c |
    sort >functions

ok "two loops in assembly are measured" ends 0 --variants=exact low_half two_ints_to_long
ok "each measured loop has a row" is "2" grep -c . results/cycles.jsonl
ok "the quality of a measurement is one of four words" sh -c '
    ! grep -v "\"quality\":\"\(good\|unsure\|noisy\|none\)\"" results/cycles.jsonl'
ok "loops that were not measured well are named" sh -c '
    [ "$(grep -c "^measure: exact .*: \(measured well\|noisy\|too few\)" err)" = \
        "$(grep -v -c "\"quality\":\"good\"" results/cycles.jsonl)" ]'

# disassembled: the address at which objdump shows the loop, a store that is the jump's
# target.
disassembled() {
    objdump -d --no-show-raw-insn --disassemble=low_half results/bin/loops.exact |
        sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' | head -n 1
}
bytes() {
    objdump -d --disassemble=low_half results/bin/loops.exact |
        awk -F '\t' '/^ *[0-9a-f]+:\t/ { print $2 }' | head -n 5 | tr -d ' \n'
}
ok "the loop begins where objdump shows it" is "$((0x$(disassembled)))" field low_half start
ok "the code of a loop is what objdump shows" is "$(bytes)" field low_half code
ok "the loop has five instructions" is 5 field low_half instructions
ok "the loop is one block" is true field low_half single
ok "a round of the loop in assembly is one round of the source" is 1 field low_half rounds
ok "the database has the loops that were measured" \
    is "low_half two_ints_to_long" sh -c '
    echo $(sqlite3 results/cycles.db "SELECT loop FROM measured ORDER BY loop")'
# Marks all measurements as good, since only the clock decides whether they are.
sed -i 's/"cycles":null/"cycles":1/; s/"spread":null/"spread":0/; s/,"confirmed":[a-z]*//
    s/"quality":"[a-z]*"/"quality":"good","confirmed":true/' results/rows/loops.exact
ok "a second run over good measurements succeeds" ends 0 --variants=exact low_half
ok "a second run repeats no good measurement" sh -c '! grep "to do" err'
sed -i 's/"quality":"good","confirmed":true/"quality":"noisy"/' results/rows/loops.exact
ok "a run over noisy measurements succeeds" ends 0 --variants=exact low_half
ok "noisy measurements are repeated" grep "loops.exact: 1 to do" err

# A figure far from the true one, so that a second measurement does not agree.
sed -i 's/"cycles":[0-9.a-z]*/"cycles":1000000/
    s/"quality":"[a-z]*"/"quality":"good"/; s/,"confirmed":[a-z]*//' \
    results/rows/loops.exact
ok "a run over single measurements succeeds" ends 0 --variants=exact low_half
ok "a measurement is not good if its repetition differs" is 0 sh -c '
    grep -c "low_half.*\"quality\":\"good\"" results/cycles.jsonl || :'
ok "a repeated measurement keeps the rows of other loops" is 2 grep -c . results/cycles.jsonl

ok "two compiled loops are measured in two variants" \
    ends 0 --variants=gcc-O2,gcc-O3-avx2 add_double kept_add_double
ok "a vector loop has less than one round for one of the source" is true sh -c '
    jq "select(.loop == \"add_double\" and .variant == \"gcc-O3-avx2\") |
        .rounds < 1" results/cycles.jsonl'
ok "a scalar loop has one round for one of the source" is 1 sh -c '
    jq "select(.loop == \"kept_add_double\" and .variant == \"gcc-O2\") |
        .rounds" results/cycles.jsonl'
ok "a whole kernel is measured" ends 0 --variants=gcc-O2 --kernels=fibonacci --size=test
ok "a measured kernel has its size in the row" is 500 field fibonacci n
ok "a twin can be measured, of the size of its kernel" \
    ends 0 --variants=gcc-O2 --kernels=fibonacci_broken --size=test
ok "a twin is measured like a kernel" is "kernel 500" sh -c "
    jq -r 'select(.loop == \"fibonacci_broken\") | \"\\(.group) \\(.n)\"' \
        results/cycles.jsonl"
ok "functions are measured in two variants" \
    ends 0 --variants=gcc-O2,gcc-O2-scalar bins_two takeuchi_function
ok "a function is measured as a whole, in the group of its file" is \
    "calls null null" sh -c "
    jq -r 'select(.loop == \"takeuchi_function\") | \"\\(.group) \\(.n) \\(.start)\"' \
        results/cycles.jsonl | sort -u"
ok "a function that two variants build alike is measured once" \
    is gcc-O2 field takeuchi_function variant
ok "a function's program has no other function" is bins_two sh -c '
    nm results/bin/bins_two.gcc-O2 | cut -d " " -f 3 |
        grep -x -F -f "$0"' functions
# A stand-in for the clock, since a test cannot choose what disturbs a measurement.  One
# sample of ONE_OF is undisturbed.
cat >clock.c <<'END'
#include <stdlib.h>
#include "calibrate/cy_clock.h"
void cy_clock_init(struct cy_clock *clock, double wait) { (void)clock; (void)wait; }
double cy_median(double *numbers, unsigned n) { return numbers[n / 2]; }
struct cy_reading cy_clock_measure(struct cy_clock *clock, cy_loop *loop, void *data,
    uint64_t rounds, unsigned n_good, unsigned n_all)
{
    unsigned one_of = (unsigned)atoi(getenv("ONE_OF"));
    struct cy_reading r = {7, 0, 0, 0};
    (void)clock, (void)loop, (void)data, (void)rounds;
    for (; r.n_good < n_good && r.n_all < n_all; r.n_all++)
        r.n_good += (r.n_all + 1) % one_of == 0;
    return r;
}
END
# measured_with WHAT ONE_OF: the quality of the measurement.
measured_with() {
    ONE_OF=$2 "./told.$1" - | jq -r .quality
}
builds() {
    set -- "${CC:-cc}" -std=gnu11 -O1 -D_GNU_SOURCE -I"$root/depbound" -I"$root/common" \
        -I"$root/research/suite/cycles" "$root/research/suite/cycles/measure.c" \
        "$root/research/suite/cycles/step.c" clock.c -lm
    "$@" -DKERNEL='"fibonacci"' "$root/research/suite/cycles/kernel.c" \
        kernel_main.c -o told.kernel &&
        "$@" told_loop.c -o told.loop
}
cat >kernel_main.c <<'END'
int kernel_main(int argc, char **argv);
int kernel_main(int argc, char **argv) { return argc == 0 && argv != 0; }
END
cat >told_loop.c <<'END'
#include "loops/loop.h"
static void run(long n, void *data)
{
    for (volatile long i = 0; i < n; i++)
        (void)data;
}
static const struct loop loop = {"other", "told", run};
static const struct loop *const entry __attribute__((section("loops"), used)) = &loop;
END
cases <<'END'
programs with a stand-in for the clock are built :: builds
a kernel of which one sample of four is undisturbed is good :: is good measured_with kernel 4
a kernel with too few quiet samples has no figure :: is none measured_with kernel 5
a loop with one quiet sample of 16 has a good figure :: is good measured_with loop 16
END

ok "every loop of the suite has a name of its own" is "" sh -c '
    "$0/research/run" measure --list | sort | uniq -d' "$root"
ok "--list names the loops of the programs, and the functions" is "" sh -c '
    "$0/research/run" measure --list >listed
    {
        for program in results/bin/loops.exact results/bin/loops.gcc-O2; do
            $program --list
        done
        cat functions
    } | sort | diff listed -' "$root"
end_of_cases
