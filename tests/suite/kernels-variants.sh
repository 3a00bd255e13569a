#!/bin/sh
# The C kernels in all variants of the suite, at the size of its runs, natively: each
# repetition computes the right result.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/sizes.sh"

is_right() {
    kernel=$1
    shift
    compile_kernel "$kernel" k "$(size "$kernel" l1)" "$@" && ./k 2
}

# runs COMPILER FLAG...: can a program be compiled with these flags, and run here?
runs() {
    command -v "$1" >/dev/null || return
    case $* in
    *-mavx2*) grep -qw avx2 /proc/cpuinfo ;;
    esac
}

grep -v -e '^#' -e '^$' "$root/research/suite/kernels/variants" >variants || exit 1
while read -r variant command; do
    # shellcheck disable=SC2086
    set -- $command
    for kernel in $all_c_kernels; do
        if runs "$@"; then
            ok "$kernel: the variant $variant computes the right result" \
                is_right "$kernel" "$@"
        else
            skip "$kernel: the variant $variant computes the right result" "$command: not here"
        fi
    done
done <variants
end_of_cases
