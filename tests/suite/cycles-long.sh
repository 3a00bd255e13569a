#!/bin/sh
# research/run cycles on a whole kernel and its layouts.  No measured figure is compared:
# figures depend on the machine and its load.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

for program in gnuplot parallel jq sqlite3 readelf; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done

# A kernel that memory limits, whatever was measured.
kernel() {
    "$root/research/run" cycles --results=kernel --variants=gcc-O1 --cpu=znver4 \
        --osaca=none --kernel-variants=gcc-O1 --kernels=gesummv --layouts=1 "$@" \
        kept_add_double >out 2>err || {
        cat out err
        return 1
    }
}
ok "a whole kernel and its layouts are measured and predicted" kernel
ok "one layout of the kernel was built" \
    test -x kernel/layouts/binaries/gesummv.1/program
ok "the table has a column for layouts" grep -q \
    '^| what .* mean error over layouts |$' kernel/table.md
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
    grep -q -E '^\| gcc-O1 \| 3 \| [0-3] \| [0-3] \| [0-3] \| ' \
    kernel/table.md
ok "a run over kernels with noisy measurements succeeds" measured noisy
ok "a variant whose kernels are noisy keeps its row" \
    grep -q -F '| gcc-O1 | 0 | 0 | 0 | 0 |  |' \
    kernel/table.md
end_of_cases
