#!/bin/sh
# research/run coverage on a few binaries: what it writes, and what it repeats.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"

# row TEXT: has the table a row that begins with this text?
row() {
    grep -F -e "| $1 |" results/table.md || { cat results/table.md; return 1; }
}

# A compiler that gives the same code for two variants.
path=$PATH
PATH=$tmp/instead:$path
instead gcc <<'END'
case $* in
*-fno-tree-vectorize*) set -- $(echo "$*" | sed 's/-fno-tree-vectorize//') ;;
esac
exec $real "$@"
END
kernels=--kernels=fibonacci,gemm,histogram
variants=--variants=gcc-O2,gcc-O2-scalar
ok "three kernels are scored in two variants" ends 0 $kernels $variants
ok "binaries with the same code count once" row \
    "the same code as another variant of the kernel | 3"
ok "binaries with different code are scored" row "scored | 3"

# sums: covcheck's counts of found and missed pairs at 1024, of all databases.
sums() {
    "$root/scripts/run-in-tree" covcheck --min-weight=10 --format=json \
        results/runs results/predictions | jq -r '.lifetimes[] | select(.lifetime == 1024) |
            "\(.found) | \(.missed)"'
}
ok "the table has covcheck's sums of all binaries" row "1024 | $(sums)"
# loop_sums: covcheck's counts with --scope=loop.
loop_sums() {
    "$root/scripts/run-in-tree" covcheck --min-weight=10 --format=json --lifetime=1024 \
        $(sed 's|.*|--deps=results/runs/&/deps.db|' results/state/scored) \
        $(sed 's|.*|--static=results/predictions/&/static.loop|' results/state/scored) |
        jq -r '.lifetimes[] | "\(.found) | \(.missed)"'
}
with_loops() {
    sed '1,/scope=loop/d' results/table.md |
        grep -F -m 1 -e "| 1024 | $(loop_sums) |"
}
ok "the table has the sums of the enclosing loop" with_loops
# walk_sums SCOPE PATTERN: covcheck's counts with walks, of the kernels that
# match.
walk_sums() {
    scope=$1
    pattern=$2
    shift 2
    "$root/scripts/run-in-tree" covcheck --min-weight=10 --format=json --lifetime=1024 \
        --scope="$scope" \
        $(sed -n "s|^$pattern|--deps=results/runs/&/deps.db|p" results/state/scored) \
        $(sed -n "s|^$pattern|--static=results/predictions/&/static.walks|p" \
            results/state/scored) | jq -r '.lifetimes[] | "\(.found) | \(.missed)"'
}
ok "the table has the sums of walks within a function" \
    row "function | $(walk_sums function '.*')"
ok "the table has the sums of walks within a file" row "object | $(walk_sums object '.*')"
ok "the table has the sums of walks of each kernel" \
    grep -F "| gemm | 1 | $(walk_sums function 'gemm.*') | " results/table.md
ok "the table has the goals beside the means" grep -E \
    '^\| cov_u \| 97 \| [0-9.]+ \| (yes|\*\*no\*\*) \|$' results/table.md
ok "the table has the sums of a kernel by block" row "gemm | $(grep -c '^gemm' \
    results/state/scored) | $("$root/scripts/run-in-tree" covcheck \
    --min-weight=10 --format=json results/runs/gemm.* results/predictions/gemm.* |
    jq -r '.lifetimes[1] |
        "\(.found) | \(.missed)"')"

# The rows by the place of a block add up to covcheck's counts.  Fibonacci's loop misses
# nothing, control leaves gemm's loop in between (but not as GCC 14 compiles it), and
# does not leave histogram's.
everywhere() {
    "$root/scripts/run-in-tree" covcheck --min-weight=10 --format=json --lifetime=1024 \
        results/runs results/predictions | jq -r '.predictions as $p | .lifetimes[0] |
            "all . [0-9]+ . \($p.judged) . \($p.occurred) . [0-9.]+ . " +
            "\(.found) . \(.missed) ."'
}
ok "the row for all places has the totals of the database" \
    grep -E "$(everywhere)" results/table.md
ok "every prediction in a loop of one block occurred" grep -E \
    '^\| loops of one block \| 3 .*[1-9].* \| 100\.0 \|$' results/table.md
misses_by_place() {
    awk -F ' \\| ' '
        /^\| kernel \| dependencies \| iterations/ { here = 1 }
        here && /^\| (all|gemm|histogram) / {
            name = substr($1, 3)
            n[name] = $2
            at[name] = ($3 > 0) ($4 > 0) ($5 > 0)
            sum += name == "all" && $2 == $3 + $4 + $5
        }
        END {
            exit !(sum == 1 && n["all"] == n["gemm"] + n["histogram"] &&
                at["gemm"] ~ /^(010|100)$/ && at["histogram"] == "100")
        }' results/misses.md || { tail results/misses.md; return 1; }
}
ok "the table splits misses by whether control left in between" misses_by_place
what_would_suffice() {
    grep '^| the enclosing loops | 1 |' results/misses.md &&
        grep '^| data | 1 |' results/misses.md &&
        ! grep '^| not judged' results/misses.md
}
ok "the table says which context would have found the misses" what_would_suffice
ok "the examples of misses have a row in their table" grep -E \
    '^\| histogram\.gcc-O2 \| `(.*)` \| `\1` \| [1-9]' results/misses.md
ok "the misses are listed in JSON" jq -e '.missed_dependencies | length > 0' \
    results/misses.json

stamps >before
ok "a second run over kernels succeeds" ends 0 $kernels $variants
stamps >after
ok "a second run over kernels repeats nothing" cmp before after
# A compiler that fails, builds another program, or builds a large one.
instead gcc <<'END'
case $* in
*-O1*gemm.c*) echo "gemm.c:1: error: no" >&2; exit 1 ;;
*-O3*gemm.c*)
    echo 'int x; int main(void) { return x + 7; }' >other.c
    out=${*##*-o }
    exec $real -O0 -o "${out%% *}" other.c
    ;;
*list-walk.c*) exec $real "$@" -USIZE -DSIZE=100000 ;;
esac
exec $real "$@"
END
ok "a run with kernels that fail ends with status 2" \
    ends 2 --kernels=gemm,list-walk --variants=gcc-O1,gcc-O2,gcc-O3
ok "a kernel that does not compile is named with the compiler's message" says \
    "coverage: gemm.gcc-O1: compiler: status 1: gemm.c:1: error: no"
ok "a kernel with a wrong result is named" \
    grep '^coverage: gemm.gcc-O3: valgrind: status 7' err
ok "only kernels that failed are named" [ "$(grep -c '^coverage: ' err)" -eq 2 ]
ok "the table counts kernels that failed" row "failed | 2"
ok "kernels beside those that failed are scored" row "scored | 1"
ok "binaries without a kept row are left out" grep \
    '^More misses: list-walk.gcc-O1 ([0-9.]* %)' results/table.md
ok "a failed binary leaves no databases" \
    [ "$(cd results/runs/list-walk.gcc-O1 && echo *)" = "cache written" ]
PATH=$path
ok "a run after a failure succeeds" ends 0 --kernels=gemm --variants=gcc-O1,gcc-O2
ok "a run after a failure repeats only what failed" says "build: 1 of 2 to do"

held() {
    status=0
    flock results/state/lock "$root/research/run" coverage --results=results \
        --kernels=gemm --variants=gcc-O2 2>err ||
        status=$?
    [ $status -eq 2 ] && says "coverage: results: another run is at work there"
}
ok "two runs of the kernels' table do not use one directory" held
end_of_cases
