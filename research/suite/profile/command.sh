# The command of a job of research/run profile: sourced after lib/job.sh, with the line
# of the plan as arguments.  Sets $program and "$@".
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib/job.sh sets $new

right=${3%% *}
eval "set -- ${3#* }"
program=$(PATH=/usr/bin:/bin command -v "$1") || fail "$1: not installed"
shift
set -- "$program" "$@"

# What Valgrind shows of the processor has no AVX-512, no fast short string instructions,
# and caches of its own.  With the same, the C library takes the same functions natively, and
# copies as much by string instructions.
tunables=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-FSRM
tunables=$tunables:glibc.cpu.x86_rep_movsb_threshold=8192
tunables=$tunables:glibc.cpu.x86_non_temporal_threshold=2097152

# output COMMAND...: runs it in inputs/, with its output in $new/out; fails if its exit
# status is not the right one.  The environment is small, so that a run does not depend
# on the user and the place.
output() (
    file=$PWD/$new/out
    cd inputs
    status=0
    env -i PATH="$PATH" ${DEPSIM_BUILD:+DEPSIM_BUILD="$DEPSIM_BUILD"} LC_ALL=C \
        GLIBC_TUNABLES="$tunables" PERL_HASH_SEED=0 PYTHONHASHSEED=0 "$@" \
        >"$file" || status=$?
    [ "$status" -eq "$right" ] || {
        echo "error: it should end with status $right"
        exit $((status > 0 ? status : 2))
    }
)

# checksum: of the output, which is not needed any more.
checksum() {
    sha256sum <"$new/out"
    rm "$new/out"
}
