#!/bin/sh
# The windows that depsim records against lackey's trace: the same instructions, and
# the same loads and stores with their addresses and sizes, in the same order; and each
# first touch of a line or page as long after the last one before.  Half of each run is
# in windows.
#
# Kernels with `oracle: off` are left out, as in oracle.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/sizes.sh"
. "$srcdir/kernels/truth.sh"
. "$srcdir/oracle/lackey.sh"
. "$srcdir/oracle/agree.sh"

lackey_traces() {
    observe --tool=lackey --trace-mem=yes --vex-iropt-level=1 --vex-guest-chase=no \
        --px-default=allregs-at-each-insn --px-file-backed=allregs-at-each-insn \
        --log-file=trace "$@" >traced.stdout 2>/dev/null || :
}

depsim_records() {
    windows=$1
    shift
    rm -f x.db
    observe --tool=depsim --deps-file=x.db "--windows=$windows" --windows-apart=2 \
        "$@" >x.stdout 2>x.stderr || :
    [ -s x.db ] || { cat x.stderr; return 1; }
}

same_windows() {
    lackey_traces "$@" && depsim_records 1000000:"$length" "$@" &&
        cmp traced.stdout x.stdout &&
        "$builddir/oracle/windows" x.db trace >compared
    status=$?
    cat compared
    rm -f trace
    [ $status -eq 0 ] || return
    # Something was compared, also reuse times that are not shorter than the trace says,
    # and branches before windows.
    awk '{ exit !($2 > 0 && $4 > 0 && $6 > 0 && $9 == "reused" && $11 == "shorter" &&
        $10 > $12 && $13 == "branches" && $14 > 0) }' compared
}

# compare LENGTH NAME COMMAND...
compare() {
    length=$1
    name=$2
    shift 2
    ok "$name: windows of $length instructions are as lackey sees them" same_windows "$@"
}

for kernel in $all_asm_kernels; do
    case $kernel in
    fault*) continue ;; # lackey's trace ends differently where a signal comes
    esac
    ! has_oracle "$kernel" ||
        compare 37 "$kernel" "$built/$kernel"
done
for kernel in gemm hash-insert list-walk nussinov quicksort string-search; do
    compile_small "$kernel" "$kernel" -O2
    compare 8192 "$kernel" "./$kernel"
done

text >text
compare 1000 gzip gzip -n -c text
compare 8192 sort sort -S 1M --parallel=1 text
end_of_cases
