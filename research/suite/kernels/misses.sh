# The tables of misses.md.  Sourced by report, whose function `names` they use.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # report sets $suite

# reasons WHAT: why dependencies were missed at 1024: a row for each, and for all.
reasons() {
    say "By $1: the dependencies missed at 1024, the share of each reason in percent, and
the shares of their occurrences:"
    columns lr "$1 | dependencies | not analysed | unknown address | data-dependent | different bases | beyond window | one base | occurrences | not analysed | unknown address | data-dependent | different bases | beyond window | one base"
    make 'missed("all")' scores/all.json
    for name in $(names "$1"); do
        make 'missed($name)' --arg name "$name" "scores/$1/$name.json"
    done
}

# between: the table of what control did between the two ends of missed dependencies.
between() {
    say 'What was missed, by what control did between the two instructions: the number of
dependencies, and their share of all that was missed and of its occurrences, in percent:'
    columns lr 'blocks | 1024 | dependencies | occurrences | none | dependencies | occurrences'
    printf '| %s\n' 'loops of one block, a whole number of iterations apart' \
        'loops of one block, left and entered again in between' 'other blocks' |
        paste -d ' ' - state/evidence.1024/between state/evidence.none/between |
        sed 's/| |/|/'
}

# between_by_kernel: the same by kernel, at 1024.
between_by_kernel() {
    say 'By kernel, the dependencies missed at 1024: in loops of one block, a whole number of
iterations apart (iterations) or not (left), and in other blocks (other); and the shares
of their occurrences, in percent:'
    columns lr 'kernel | dependencies | iterations | left | other | iterations, % | left, % | other, %'
    cat state/evidence.1024/kernels
}

# needed_context: the table of the context needed to find what was missed at 1024, by
# the file needed-context.
needed_context() {
    say 'The context needed to find what was missed at 1024, judged by kernel: the number of
kernels and of missed dependencies, and the share of these and of their occurrences,
in percent:'
    columns lr 'context | kernels | dependencies | of these, % | of their occurrences, %'
    jq -r '.objects[] | .lifetimes[0] as $l | [(.path | split("/")[-1]), $l.missed,
        $l.missed_occurrences] | @tsv' misses.json |
        awk -v list="the enclosing loops,the function,the caller,data,not judged" '
            BEGIN {
                n = split(list, title, ",")
                split("loop,function,caller,data,-", label, ",")
            }
            NR == FNR { if (!/^#/) knows[$1] = $2; next }
            $2 > 0 {
                k = $1 in knows ? knows[$1] : "-"
                kernels[k] += !seen[$1]++
                missed[k] += $2
                occurrences[k] += $3
                all += $2
                all_occurrences += $3
            }
            END {
                for (i = 1; i <= n; i++)
                    if (label[i] in missed)
                        printf "| %s | %d | %d | %.1f | %.1f |\n", title[i],
                            kernels[label[i]], missed[label[i]],
                            100 * missed[label[i]] / all,
                            100 * occurrences[label[i]] / all_occurrences
            }' "$suite/needed-context" -
}

# examples: the table of what was missed in some kernels.
examples() {
    say 'The examples, compiled by GCC at -O2, and what was missed of each at 1024:'
    columns lllr 'example | store | load | line of the load | occurrences | least distance | largest'
    for kernel in seidel-2d atax symm gemm floyd-warshall histogram lz-copy; do
        make 'example($name)' --arg name "$kernel.gcc-O2" misses.json
    done
}

# missed_by_walks: the table of what walks missed within a function.
missed_by_walks() {
    cat <<'END'

What walks missed within one function at 1024, over all variants: the dependencies, the
share of each reason in percent, and the shares of their occurrences:

END
    make missed_by_walks scores/walks-function.json
}

describe_misses() {
    reasons compiler | sed 1d
    for table in 'reasons variant' 'reasons kernel' missed_by_walks examples; do
        # shellcheck disable=SC2086 # with its argument
        results_only $table
    done
    between
    results_only between_by_kernel
    needed_context
}
