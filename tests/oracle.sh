#!/bin/sh
# depsim against the oracle: all dependencies, all distances, the executions of
# each instruction, without a difference.  Here all kernels, and three programs
# of others; oracle-long.sh has the rest.
#
# An assembly kernel that says `oracle: off` shows what lackey's trace is blind
# to, and its truth stands beside its code, for kernels.sh: the guard of a
# gather's element (lackey shows a load at the top of the stack), the outcome of
# a compare-and-swap without a branch on it, and signals.  Guarded loads and
# stores are no such case, lackey shows those that happen; nor are the accesses
# of VEX's helpers (x87's tbyte, fxsave, xsave), which it shows with the size
# that VEX declares.
# SPDX-License-Identifier: GPL-2.0-or-later
. "${srcdir:-$(dirname "$0")}/lib.sh"
. "$srcdir/kernels/truth.sh"
. "$srcdir/lackey.sh"
. "$srcdir/agree.sh"

for kernel in $all_asm_kernels; do
    grep -q '/\* oracle: off' "$srcdir/kernels/asm/$kernel.s" ||
        agree "$kernel" "$kernels/asm/$kernel"
done
for source in "$srcdir"/kernels/c/*.c; do
    agree "$(basename "$source" .c)" "$kernels/$(basename "$source" .c)"
done

text >text
agree gzip gzip -n -c text
agree sort sort -S 1M --parallel=1 text
agree sqlite3 sqlite3 :memory: \
    'CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2), (3, 4), (5, 6);
     SELECT sum(a), max(b) FROM t WHERE a > 1'
end_of_cases
