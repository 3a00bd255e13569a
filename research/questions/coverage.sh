# How many dependencies of C kernels does staticdeps predict?
#
# Builds the kernels of tests/kernels/c in all variants of suite/kernels/variants, and
# runs depsim, staticdeps and covcheck on each binary.  research/results.md says what is
# measured.
#
#     research/run coverage [OPTION...]
#
#     --subset          two variants only; it takes some minutes
#     --kernels=LIST    only these, separated by commas
#     --variants=LIST   only these
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/kernels
. "$suite/plan.sh"
shared='--results --jobs --sshlogin --slurm --doc'
misses=yes
plots='coverage.svg distribution.svg kernels.svg'
needs='parallel gnuplot jq sqlite3'
kernels='' variants=''

own_option() {
    case $1 in
    --subset) variants=gcc-O2,clang-O3 ;;
    --kernels=?*) kernels=${1#*=} ;;
    --variants=?*) variants=${1#*=} ;;
    *) return 1 ;;
    esac
}

# known TABLE LIST: fails if the table lacks a name in the list.
known() {
    for name in $(echo "$2" | tr , ' '); do
        [ -n "$($1 "$name")" ] || fail "$name" "not among the $1"
    done
}

check() {
    known kernels "$kernels"
    known variants "$variants"
    [ -z "$doc" ] || [ -z "$kernels$variants" ] ||
        fail --doc "only for a whole run"
}

answer() {
    plan_builds "$kernels" "$variants" >state/build
    work_off build binaries run_local
    # shellcheck disable=SC2046
    plan_runs $(cut -f 1 state/build) >state/measure
    work_off measure runs run_there 'binaries/{1}' 'runs/{1}'
    plan_predictions >state/predict
    work_off predict predictions run_local
    "$suite/report"
}
