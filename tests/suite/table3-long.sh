#!/bin/sh
# scripts/table3: a sample of all kernels, and a run that is killed on its way.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"

kernels=--kernels=atax,fibonacci,gemm
variants=--variants=gcc-O2,clang-O3

# Somewhere in its measurements the run says that it is there, and waits to be
# killed.  What it had started is let go afterwards; parallel gives each job a
# process group of its own.
mkfifo there go
instead valgrind <<END
case \$* in
*--tool=depsim*gemm.gcc-O2/gemm*)
    echo >"$tmp/there"
    cat "$tmp/go"
    exit 1
    ;;
esac
exec \$real "\$@"
END
killed() {
    (
        PATH=$tmp/instead:$PATH
        exec setsid "$root/scripts/table3" --results=results --jobs=1 \
            $kernels $variants >out 2>err
    ) &
    run=$!
    cat there
    stamps >before
    kill -s KILL -- "-$run"
    wait $run 2>>err
    : >go
    grep runs/fibonacci.gcc-O2/written before && ! grep runs/gemm before
}
ok "a run is killed" killed
ok "another one goes on" ends 0 $kernels $variants
ok "where it was" says "measure: 2 of 6 to do"
stamps >after
ok "a run that goes on leaves alone what was done" \
    [ -z "$(comm -23 before after)" ]
ok "nothing is missing" [ "$(wc -l <results/state/scored)" -eq 6 ]
ok "nothing is left over" [ -z "$(ls results/work)" ]

# What went into one binary has changed.
sed -i 's/-O2$/-O2 -changed/' results/binaries/gemm.gcc-O2/written
touch results/runs/gemm.gcc-O2/deps.db.old
ok "a change" ends 0 $kernels $variants
ok "is built again" says "build: 1 of 6 to do"
ok "what is the same then is not measured again" says "measure: 0 of 6 to do"
echo changed >results/runs/gemm.gcc-O2/written
echo changed >results/predictions/gemm.clang-O3/written
ok "a change of the tools" ends 0 $kernels $variants
ok "is measured again" says "measure: 1 of 6 to do"
ok "a change of what predicts predicts again" says "predict: 1 of 6 to do"
ok "in a new directory" [ ! -e results/runs/gemm.gcc-O2/deps.db.old ]

# The sample; the rest of the machine's work is that of the first test.
# All kernels, with what is there already of them.
ok "all kernels in two variants" ends 0 --subset
ok "none is missing" [ "$(wc -l <results/state/build)" -eq \
    $(($(grep -vc '^#' "$root/tests/kernels/c/sizes") * 2)) ]
rows() {
    sed '/^The examples/q' results/misses.md >reasons
    cut -d . -f 1 results/state/scored | uniq | while read -r kernel; do
        [ "$(grep -c "^| $kernel | " results/table.md)" -eq 2 ] &&
            [ "$(grep -c "^| $kernel | " reasons)" -ge 1 ] ||
            echo "$kernel is not in three tables"
    done | grep . && return 1
    return 0
}
ok "each is in the tables" rows
stamps >before
ok "the sample again" ends 0 --subset
stamps >after
ok "does nothing again" cmp before after

# A new clone builds what it needs.
in_a_clone() {
    unset DEPSIM_BUILD
    git clone -q "$root" clone && cd clone &&
        scripts/table3 --kernels=gemm --variants=gcc-O2 2>err &&
        grep -x 'nothing is built here yet: building' err &&
        scripts/table3 --kernels=gemm --variants=gcc-O2 2>err &&
        ! grep building err
}
if git -C "$root" rev-parse 2>/dev/null; then
    ok "a new clone" in_a_clone
else
    skip "a new clone" "not a git checkout"
fi
end_of_cases
