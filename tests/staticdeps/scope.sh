#!/bin/sh
# staticdeps --scope: each kernel of kernels/scope.s against the truth beside its
# code, which depsim measures.
#
#     /* expect: SRC -> DST  block=K  loop=K  n=N */
#
# says that --scope=block and --scope=loop predict that the instruction at label
# .LDST reads what the one at .LSRC wrote K iterations before (-: they do not), and
# that it does so N times in a run.  The list is complete for predictions.
# The kernels of kernels/scope-aarch64.s are not run.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"
. "$srcdir/kernels/assemble.sh"

# "SRC DST BLOCK LOOP N" for each expectation; anything else that calls itself
# one is an error in the kernel.
truth() {
    awk '
        $2 != "expect:" { next }
        $4 == "->" && $6 ~ /^block=([0-9]+|-)$/ && $7 ~ /^loop=([0-9]+|-)$/ &&
        $8 ~ /^n=[0-9]+$/ && $9 == "*/" {
            print $3, $5, substr($6, 7), substr($7, 6), substr($8, 3)
            next
        }
        { print FILENAME ": " $0 >"/dev/stderr"; exit 1 }
    ' "$1"
}

build() {
    truth "$1" >truth && [ -s truth ] && assemble "$1"
}

# predicts SCOPE COLUMN: is exactly that column of the truth predicted?
predicts() {
    run staticdeps --scope="$1" -o k.db kernel || return
    awk -v k="$2" '$k != "-" { print $1, $2, $k }' truth | sort >expected
    sqlite3 -separator ' ' k.db "
        SELECT printf('%x', src), printf('%x', dst), delta_k FROM dep" >rows ||
        return
    by_used_label <rows >actual
    same expected actual
}

depsim_counts_as_the_truth() {
    run valgrind -q --tool=depsim --deps-file=deps.db ./kernel || return
    awk '$5 > 0 { print $1, $2, $5 }' truth | sort >expected
    sqlite3 -separator ' ' deps.db "
        SELECT printf('%x', src), printf('%x', dst), occurrences
        FROM dep" >rows || return
    # The truth does not list what happens in other blocks.
    by_used_label <rows | awk 'FILENAME == "truth" { known[$1, $2] = 1; next }
        ($1, $2) in known' truth - >actual
    same expected actual
}

for kernel in $(split_kernels scope.s); do
    ok "$kernel: the kernel is built" build "split/$kernel.s"
    ok "$kernel: depsim counts the true dependencies" depsim_counts_as_the_truth
    ok "$kernel: --scope=block predicts the truth" predicts block 3
    ok "$kernel: --scope=loop predicts the truth" predicts loop 4
done

cross=aarch64-linux-gnu-
compiler=${cross}gcc
for kernel in $(split_kernels scope-aarch64.s); do
    command -v $compiler >/dev/null || {
        skip "$kernel, AArch64: the kernel is built" \
            "$compiler is missing: install the Debian package gcc-aarch64-linux-gnu"
        continue
    }
    ok "$kernel, AArch64: the kernel is built" build "split/$kernel.s"
    ok "$kernel, AArch64: --scope=block predicts the truth" predicts block 3
    ok "$kernel, AArch64: --scope=loop predicts the truth" predicts loop 4
done

end_of_cases
