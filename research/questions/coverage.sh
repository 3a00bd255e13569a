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
#     --arch=aarch64    a sample of kernels, as suite/kernels/variants-aarch64 compiles
#                       them for x86-64 and AArch64, and a table that compares the two;
#                       depsim runs AArch64's in an emulated machine (check-arm64)
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/kernels
. "$suite/plan.sh"
. "$root/research/suite/runners/machine.sh"
shared='--results --jobs --sshlogin --doc'
misses=yes
kernels='' variants='' arch=''
# The sample: six of PolyBench's list, and four others.
sample=cholesky,durbin,floyd-warshall,gemm,gramschmidt,seidel-2d
sample=$sample,fibonacci,hash-insert,histogram,prefix-sum

own_option() {
    case $1 in
    --subset) variants=gcc-O2,clang-O3 ;;
    --kernels=?*) kernels=${1#*=} ;;
    --variants=?*) variants=${1#*=} ;;
    --arch=aarch64) arch=aarch64 variants_of=variants-aarch64 times=0.1
        measure=measure-aarch64 ;;
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
    [ -z "$arch" ] || check_arch
}

check_arch() {
    [ -z "$hosts" ] || fail --arch "not on other machines"
    lacks=$("$root/scripts/check-arm64" --missing)
    [ -z "$lacks" ] || fail "$lacks" "install these Debian packages"
    kernels=${kernels:-$sample}
    marks="$marks --arch=$arch"
    misses=no
    [ "$results" != "$root/results/$question" ] || results=$results-$arch
}

answer() {
    plan_builds "$kernels" "$variants" >state/build
    work_off build binaries run_local
    # shellcheck disable=SC2046
    plan_runs $(cut -f 1 state/build) >state/measure
    if [ -z "$arch" ]; then
        work_off measure runs run_there 'binaries/{1}' 'runs/{1}'
    else
        cp state/measure state/measure-aarch64
        work_off measure-aarch64 runs run_machine
    fi
    plan_predictions >state/predict
    work_off predict predictions run_local
    make_report "kernels/report${arch:+-aarch64}"
}
