# The sizes in kernels/c/sizes.  Sourced after lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

all_c_kernels=$(cd "$srcdir/kernels/c" && echo *.c | sed 's/\.c\>//g')

# size KERNEL COLUMN: test, l1, l1_repeats, timing, timing_repeats or bytes.
size() {
    awk -v kernel="$1" -v column="$2" '
        BEGIN {
            n = split("test l1 l1_repeats timing timing_repeats bytes", name)
            for (i = 1; i <= n; i++)
                at[name[i]] = i + 1
        }
        $1 == kernel { print $at[column] }' "$srcdir/kernels/c/sizes"
}

# compile_kernel KERNEL PROGRAM N COMPILER [FLAG...]: builds the kernel for the size N,
# or for the size in its source if N is "-".
compile_kernel() {
    source=$srcdir/kernels/c/$1.c program=$2 n=$3
    shift 3
    [ "$n" = - ] || set -- "$@" "-DSIZE=$n"
    "$@" -std=c11 -o "$program" "$source" -lm
}

# compile_small KERNEL PROGRAM FLAG...: one case, which builds a program that is small
# enough for a trace of all its accesses.
compile_small() {
    small=$1 program=$2
    shift 2
    ok "the C kernel $program is built" compile_kernel "$small" "$program" \
        "$(size "$small" test)" "${CC:-cc}" "$@"
}
