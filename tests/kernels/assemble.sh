# Kernels that tests assemble for themselves.  Sourced after lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib.sh sets what it sets

compiler=${CC:-cc} cross=

# split_kernels FILE...: writes each kernel of these files of tests/kernels to
# split/NAME.s, and prints the names.
split_kernels() {
    rm -rf split && mkdir split || return
    for file in "$@"; do
        (cd split && "$srcdir/kernels/split" "$srcdir/kernels/$file") || return
    done
    (cd split && echo *.s | sed 's/\.s\>//g')
}

# assemble SOURCE [FLAG...]: builds the program `kernel` without labels, since a symbol
# ends a block, and writes "ADDRESS LABEL" for each label to the file labels.
assemble() {
    source=$1
    shift
    "$compiler" -nostdlib -static -Wa,-L -Wl,--discard-none "$@" -o labelled "$source" &&
        "${cross}objcopy" --discard-locals labelled kernel &&
        labels_of labelled >labels
}
