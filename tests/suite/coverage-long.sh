#!/bin/sh
# research/run coverage: a sample of all kernels, and a run that is killed on its way.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"

kernels=--kernels=atax,fibonacci,gemm
variants=--variants=gcc-O2,clang-O3

# During its measurements the run writes to a pipe, and waits to be killed.  Its job
# continues afterwards, since parallel gives each job a process group of its own.
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
        exec setsid "$root/research/run" coverage --results=results --jobs=1 \
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
ok "a run over kernels is killed during a measurement" killed
ok "a run after a killed one succeeds" ends 0 $kernels $variants
ok "a run after a killed one measures only what is left" says "measure: 2 of 6 to do"
stamps >after
cases <<'END'
a run after a killed one leaves earlier results alone :: [ -z "$(comm -23 before after)" ]
a run after a killed one has all results :: [ "$(wc -l <results/state/scored)" -eq 6 ]
a run after a killed one leaves no temporary file :: [ -z "$(ls results/work)" ]
END

# One binary has changed.
sed -i 's/-O2$/-O2 -changed/' results/binaries/gemm.gcc-O2/written
touch results/runs/gemm.gcc-O2/deps.db.old
ok "a run after a change of one binary succeeds" ends 0 $kernels $variants
ok "only the binary that changed is built again" says "build: 1 of 6 to do"
ok "a binary that is built again with the same code is not measured again" \
    says "measure: 0 of 6 to do"
echo changed >results/runs/gemm.gcc-O2/written
echo changed >results/predictions/gemm.clang-O3/written
ok "a run after a change of the tools succeeds" ends 0 $kernels $variants
ok "a change of depsim measures its binary again" says "measure: 1 of 6 to do"
ok "a change of staticdeps predicts its binary again" says "predict: 1 of 6 to do"
ok "a repeated measurement starts in a new directory" \
    [ ! -e results/runs/gemm.gcc-O2/deps.db.old ]

# All kernels, some of which are scored already.
ok "all kernels are scored in two variants" ends 0 --subset
ok "each kernel is built in two variants" \
    [ "$(wc -l <results/state/build)" -eq \
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
ok "each scored kernel is in three tables" rows
# Two kernels on two architectures.  Each row has covcheck's sums.
of_arch() {
    sums=$(cd arches && "$root/scripts/run-in-tree" covcheck --min-weight=10 \
        --format=json --lifetime=1024 runs/*.$1-O2 predictions/*.$1-O2 |
        jq -r '.lifetimes[] | "\(.found) | \(.missed)"')
    grep -F "| the block alone | $1 | $sums |" arches/table.md
}
if [ -z "$("$root/scripts/check-arm64" --missing)" ]; then
    ok "kernels run on two architectures" "$root/research/run" coverage \
        --results=arches --arch=aarch64 --kernels=fibonacci,histogram \
        --variants=x86_64-O2,aarch64-O2
    ok "each architecture's binaries are scored" [ "$(sed 's/.*\.//; s/-O2//' \
        arches/state/scored | sort | uniq -c | tr -s ' \n' ' ')" = \
        " 2 aarch64 2 x86_64 " ]
    ok "the table has the sums of x86-64" of_arch x86_64
    ok "the table has the sums of AArch64" of_arch aarch64
else
    skip "kernels run on two architectures" "a package of check-arm64 is missing"
fi

end_of_cases
