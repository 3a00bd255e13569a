#!/bin/sh
# research/run cycles: all parts work together.  No measured figure is compared: figures
# depend on the machine and its load.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

for program in parallel jq sqlite3 readelf; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done

# run OPTION...: measures and predicts two loops.
run() {
    "$root/research/run" cycles --results=results --variants=exact --cpu=znver4 \
        --osaca=none "$@" low_half cell_base >out 2>err
}
works() {
    run "$@" || {
        cat out err
        return 1
    }
}
ok "two loops are measured and predicted" works
# Marks all measurements as good, since only the clock decides whether they are.
sed -i 's/"cycles":null/"cycles":4/; s/"spread":null/"spread":0/
    s/,"confirmed":[a-z]*//
    s/"quality":"[a-z]*"/"quality":"good","confirmed":true/' \
    results/measured/rows/loops.exact
ok "a second run goes on with what is there" works
rm -r results/predictions
ok "predictions can be made without measuring" works --no-measuring
ok "a run predicts what was measured" sh -c 'grep "predict: 1 of 1 to do" err &&
    ! grep measure: err'
ok "each of two loops has all three predictions" \
    is "2 2 2" sqlite3 -separator ' ' results/cycles.db \
    "SELECT count(none), count(static), count(observed) FROM loop"
ok "each loop belongs to one of two halves" is "2" sqlite3 results/cycles.db \
    "SELECT count(*) FROM loop WHERE half IN ('scored', 'tuning')"
ok "an edge through memory is found and costs cycles" \
    is "1 1" sqlite3 -separator ' ' \
    results/cycles.db "SELECT has_edge, static > none FROM loop
        WHERE loop = 'cell_base'"
ok "the table of cycles has the goals" \
    grep -q '^| loops of one block: mean error | <= 12 |' results/table.md
ok "the table of cycles names the machine file" \
    grep -q '^- machine file: znver4$' results/table.md
ok "the table has no interval of only two loops" grep -q \
    '^| loops | predicted edges | [0-9] | [0-9.]* |  |.*|  |$' results/table.md

# A kernel that memory limits, whatever was measured.
kernel() {
    "$root/research/run" cycles --results=kernel --variants=gcc-O1 --cpu=znver4 \
        --osaca=none --kernel-variants=gcc-O1 --kernels=gesummv "$@" \
        kept_add_double >out 2>err || {
        cat out err
        return 1
    }
}
ok "a whole kernel is measured and predicted" kernel
ok "twins are measured, and not predicted" is "3 3" sh -c '
    echo $(sqlite3 kernel/cycles.db "SELECT count(*) FROM measured
            WHERE loop = '"'gesummv_broken'"'") $(ls -d kernel/predictions/gesummv* |
        wc -l)'
ok "twins are no kernels of the tables" is "gesummv" sqlite3 kernel/cycles.db \
    "SELECT DISTINCT loop FROM kernel"
# measured QUALITY: marks all measurements so, and reports again.
measured() {
    sqlite3 kernel/measured/cycles.db "UPDATE measured
        SET quality = '$1', cycles = ifnull(cycles, 1)" && kernel --no-measuring
}
ok "a run over kernels that were measured well succeeds" measured good
ok "kernels are counted in the row of their variant" \
    grep -q -E '^\| gcc-O1 \| 3 \| [0-3] \| [0-3] \| [0-3] \| ' kernel/table.md
ok "a run over kernels with noisy measurements succeeds" measured noisy
ok "a variant whose kernels are noisy keeps its row" \
    grep -q -F '| gcc-O1 | 0 | 0 | 0 | 0 |  |' kernel/table.md

# A function that is measured as a whole, whatever was measured.
whole() {
    "$root/research/run" cycles --results=whole --variants=gcc-O1 --cpu=znver4 \
        --osaca=none "$@" moved_to_front >out 2>err || {
        cat out err
        return 1
    }
}
ok "a function is measured and predicted, without loops" whole
sqlite3 whole/measured/cycles.db "UPDATE measured
    SET quality = 'good', cycles = ifnull(cycles, 10000)"
ok "a run over a function that was measured well succeeds" whole --no-measuring
ok "a function has all three predictions of a call" is 1 sqlite3 whole/cycles.db "
    SELECT count(*) FROM function WHERE none > 0 AND static > 0 AND observed > 0"
ok "a function is counted in its group" is 1 sqlite3 whole/cycles.db "
    SELECT count(*) FROM pair
    WHERE grp GLOB '*: functions: distances' AND tool = 'observed edges'"
# by_group CELL: is this the last cell in the row of the function's group?
by_group() {
    row=$(grep '^| functions: distances | 1 | - | - |' whole/table.md)
    echo "$row"
    [ "${row##*| }" = "$1 |" ]
}
# Predictions as those of a depbound without windows, and then of one that knows them:
# half a cycle an instruction in what a call executes, and more in what begins the run.
reports_of=whole/predictions/moved_to_front.gcc-O1
rm -f $reports_of/windows.json
ok "a run without windows succeeds" whole --no-measuring
ok "the column of windows is empty as long as there are none" by_group -
jq '.program.functions = ([{function: "moved_to_front", cycles: 500,
        instructions: 1000}, {function: "fill", cycles: 9000, instructions: 1000}] |
    map(.object = "/bin/moved_to_front.gcc-O1"))' $reports_of/observed.json >report &&
    mv report $reports_of/windows.json
ok "a run with windows succeeds" whole --no-measuring
ok "windows predict a call by the functions that it executes" is 1 \
    sqlite3 whole/cycles.db "
    SELECT abs(windows - 0.5 * r.instructions) < 1 FROM function
        JOIN repetition r ON kind = 'static'"
ok "the column of windows has their error" by_group "$(sqlite3 whole/cycles.db \
    "SELECT round(100 * abs(windows - cycles) / cycles, 1) FROM function")"

end_of_cases
