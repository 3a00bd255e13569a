#!/bin/sh
# research/run layouts: layouts follow from their seeds, and all parts work together.  No
# measured figure is compared: figures depend on the machine and its load.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

for program in gnuplot parallel jq sqlite3 objdump; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done
[ -e /usr/include/gsl/gsl_fit.h ] || skip_all "GSL is not installed"
setarch -R true 2>/dev/null || skip_all "setarch -R is not allowed here"

# ends STATUS DIR OPTION...: does research/run layouts end with this status?  It writes to DIR.
ends() {
    expected=$1 into=$2
    shift 2
    status=0
    "$root/research/run" layouts --results="$into" "$@" >out 2>err || status=$?
    cat out err
    [ "$status" -eq "$expected" ] || { echo "exit status $status"; return 1; }
}

few='--layouts=3 --direct=1 --runs=1 --again=0'
sums() {
    (cd "$1/binaries" && grep . ./*/sum)
}

### Seeds, layouts and what is kept.

ok "a program is simulated and measured in three layouts" ends 0 results $few alias
ok "each layout is a binary of its own" is "5" sh -c '
    cat results/binaries/*/sum | sort -u | wc -l'
ok "a run with the same seeds in another directory succeeds" ends 0 again $few alias
ok "seeds make the same binaries in another directory" \
    sh -c '[ "$1" = "$2" ]' - "$(sums results)" "$(sums again)"

# Each of 24 pairs aliases 400 times in a repetition.  Code around the loops may alias
# as well.
aliases() {
    sed -n 's/^aliases\t//p' "results/events/alias.$1/events"
}
ok "few accesses alias in the layout \"less\", and all in \"more\"" sh -c '
    awk -v less="$1" -v more="$2" "BEGIN { exit !(less < 100 && more >= 9600) }"' - \
    "$(aliases 1.less)" "$(aliases 1.more)"
ok "the heap decides how many accesses alias in other layouts" sh -c '
    for n; do
        awk -v n="$n" "BEGIN {
            near = int(n / 400 + 0.5)
            exit !(near > 2 && near < 22 && n >= 400 * near && n < 400 * near + 100)
        }" || exit
    done' - "$(aliases 1)" "$(aliases 2)" "$(aliases 3)"
ok "each layout executes the same instructions" is "1" sh -c '
    grep -h "^instructions" results/events/alias.[123]/events | cut -d . -f 1 |
        sort -u | wc -l'
ok "the simulation of a layout is the same in another directory" \
    is "" diff results/events/alias.2/events \
    again/events/alias.2/events

### Where code and data lie.

symbols() {
    nm "results/binaries/alias.$1/program" | grep -E " (run|make|program_main|pairs[.0-9]*)$"
}
ok "a layout moves functions and variables" sh -c '[ "$1" != "$2" ]' - \
    "$(symbols 1)" "$(symbols 2)"
clock() {
    nm "results/binaries/alias.$1/program" | grep -E ' cy_clock_(init|measure)$'
}
ok "a layout does not move the clock" is "$(clock 1)" clock 2

cat >places.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char on_stack, *block = malloc(100), *grown;

    block[0] = 7;
    grown = realloc(block, 10000);
    printf("%d %d %d %d\n", (int)((uintptr_t)&on_stack % 4096),
           (int)((uintptr_t)block % 4096), (int)((uintptr_t)grown % 4096),
           grown[0]);
    free(grown);
    return 0;
}
END
astray() {
    ends 2 astray --layouts=3 --runs=1 --again=0 places.c &&
        grep -x 'layouts: places: it prints something else in some layouts' err
}
ok "a program that prints addresses is refused" astray
ok "a program that prints addresses has no figure" \
    is 0 sqlite3 astray/layouts.db "SELECT count(*) FROM figure"
# run_places [COMMAND...]: runs the program in a layout, under the command if given.
run_places() {
    # shellcheck disable=SC2046
    run env $(cat astray/binaries/places.2/environment) \
        LD_PRELOAD="$PWD/astray/harness/heap.so" "$@" \
        astray/binaries/places.2/program --run 1
}
ok "stack and heap are at the same places under Valgrind" \
    is "$(run_places setarch -R)" run_places valgrind -q --tool=none
ok "data that a layout moves keep their contents" \
    sh -c 'echo "$1" | grep " 7$"' - \
    "$(run_places setarch -R)"

### Tables and plots.

# Marks all measurements as good, since only the clock decides whether they are.
make_good() {
    for row in "$1"/times/*/row.json; do
        jq -c '.quality = "good" | .cycles //= 30000 | .spread //= 0' \
            "$row" >new && mv new "$row"
    done
}
ok "all measurements of layouts are marked as good" make_good results
ok "a run over good measurements succeeds" ends 0 results $few alias
ok "the table has the program" grep -q '^| alias | 3 | ' results/table.md
ok "the table has the slopes" grep -q '^| alias | aliases | ' results/table.md
ok "the table says of an event whether it was measured directly" \
    grep -q -E '^\| alias \| aliases \|.*\| (yes|no) \|$' results/table.md
ok "the table has what depbound predicts, if llvm-mca is there" sh -c '
    grep "layouts: llvm-mca: not installed" err || grep -q -E \
        "^\| alias \| 3 \| [0-9]+ \| [0-9]+ to [0-9]+ \| [0-9]+ \| .* \| (yes|no) \|" \
        results/table.md'
ok "the plot has a line, two bands, and the points" is "6" sh -c '
    grep -o "id=\"gnuplot_plot_[0-9]*a\"" results/layouts-demonstration.svg |
        sort -u | wc -l'
sed -i 's/"quality":"[a-z]*"/"quality":"noisy"/' results/times/alias.1.1/row.json
(cd results && "$root/research/suite/layouts/report")
ok "a layout that stays noisy is named" \
    grep -q '^- noisy, and left out: alias.1' \
    results/table.md
ok "a layout that stays noisy has no figure" is 0 sqlite3 results/layouts.db \
    "SELECT count(*) FROM figure WHERE job = 'alias.1'"

### Cycles alone.

alone='--cycles-only --layouts=2 --direct=0 --runs=1 --again=0'
ok "a run with --cycles-only succeeds" ends 0 alone $alone plain
ok "a run with --cycles-only simulates nothing" [ -z "$(ls alone/events)" ]
make_good alone
sed -i 's/"cycles":[0-9.]*/"cycles":7/' alone/times/*/row.json
ok "a second run with --cycles-only succeeds" ends 0 alone $alone plain
ok "the table of --cycles-only has a line for each layout" is "plain	1	7.0
plain	2	7.0" cat alone/cycles.tsv

end_of_cases
