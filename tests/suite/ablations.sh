#!/bin/sh
# research/run fixes and ablations: all parts work together.  No measured figure is
# compared: figures depend on the machine and its load.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

for program in parallel jq sqlite3 readelf; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done

# ask QUESTION OPTION...: runs it, and shows its messages if it fails.
ask() {
    asked=$1
    shift
    "$root/research/run" "$asked" --results="$asked" "$@" >out 2>err || {
        cat out err
        return 1
    }
}
fix() {
    ask fixes --variants=gcc-O1 --cpu=znver4 "$@" sum_double_in_memory
}
ok "a loop is measured beside a twin with a fix, and predicted" fix
sqlite3 fixes/measured/cycles.db "UPDATE measured
    SET quality = 'good', cycles = iif(loop LIKE '%fixed', 3, 12)"
ok "a run over a loop and its twin that were measured well succeeds" fix --no-measuring
ok "windows predict that the fix leaves the addition of 3 cycles" \
    is "register 1 1" sqlite3 -separator ' ' fixes/cycles.db \
    "SELECT fix, close, windows > 2 * predicted FROM fix"
ok "the table has the loop with its twin" \
    grep -q '^| sum_double_in_memory | register | gcc-O1 | .* | 12.00 | 3.00 | ' \
    fixes/table.md
ok "twins with a fix are no loops of the tables" is sum_double_in_memory \
    sqlite3 fixes/cycles.db "SELECT loop FROM loop"
ok "a loop in assembly is measured and predicted" ask cycles --variants=exact \
    --cpu=znver4 --osaca=none cell_base
sqlite3 cycles/measured/cycles.db "UPDATE measured SET quality = 'good', cycles = 12"
ok "a run over a loop that was measured well succeeds" ask cycles --variants=exact \
    --cpu=znver4 --osaca=none --no-measuring cell_base
ablate() {
    ask ablations --of=cycles --windows=16 "$@"
}
ok "the model is tried without a part" ablate forwarding vector-queue
ok "the table has a row for each part that the machine file has" \
    is "nothing|all rules of what goes through memory" sh -c '
    sed -n "s/^| \([a-z ]*\) | [0-9-].*/\1/p" ablations/table.md | grep -v left |
        paste -s -d "|"'
ok "without rules for memory, the loop is predicted differently" is 1 \
    sqlite3 ablations/ablations.db "SELECT count(*) FROM error
        WHERE part = 'forwarding' AND abs(percent - usual) > 10"
unknown() {
    ! ask ablations --of=cycles speed && grep -q -x "ablations: speed: no such part" err
}
ok "a part that the model lacks is refused" unknown
end_of_cases
