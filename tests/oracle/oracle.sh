#!/bin/sh
# depsim against the oracle: all dependencies, all distances and the executions of
# each instruction are the same.  This script has all assembly kernels, seven
# different C kernels, a program of random accesses, and three programs of others;
# long.sh has the rest.  The variable SHARE chooses some (lib.sh).
#
# Lackey's trace does not show, or shows wrongly, what an assembly kernel with
# `oracle: off` does.  Only its truth judges depsim then, in kernels.sh:
# - an element that a gather leaves out: VEX loads from the top of the stack
#   instead, and lackey shows that;
# - an access of a helper of VEX whose guard is false (a part that xsave is not
#   asked for): lackey shows it nevertheless;
# - maskmovdqu and maskmovq: VEX loads and stores all bytes;
# - a compare-and-swap whose outcome no branch shows: lackey shows a store;
# - a jump into an instruction, past its prefix: segments that hold the whole one
#   count for an address inside it, too, when executions are compared;
# - signals, which the trace does not show.
# Lackey shows guarded loads and stores (vmaskmovps, ...) right.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/sizes.sh"
. "$srcdir/kernels/truth.sh"
. "$srcdir/oracle/lackey.sh"
. "$srcdir/oracle/agree.sh"

c_kernels='gemm hash-insert list-walk nussinov quicksort seidel-2d string-search'
others='gzip sort sqlite3 1'
judged=
for kernel in $all_asm_kernels; do
    [ -z "$machine" ] || { others= && break; } # an emulated machine is slow
    ! has_oracle "$kernel" ||
        judged="$judged $built/$kernel"
done

text >text
# shellcheck disable=SC2086 # lists
for name in $(share $judged $c_kernels $others); do
    case $name in
    /*) agree "${name##*/}" "$name" ;;
    [0-9]*) agree_at_random "$name" 500 ;;
    gzip) agree gzip gzip -n -c text ;;
    sort) agree sort sort -S 1M --parallel=1 text ;;
    sqlite3)
        agree sqlite3 sqlite3 :memory: \
            'CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2), (3, 4), (5, 6)' \
            'SELECT sum(a), max(b) FROM t WHERE a > 1'
        ;;
    *)
        compile_small "$name" "$name" -O2
        agree "$name" "./$name"
        ;;
    esac
done
end_of_cases
