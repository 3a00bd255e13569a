#!/bin/sh
# The critical chain of each kernel in kernels/cycles and, for AArch64, in
# kernels/cycles-a64 against the truth beside its code.
#
#     /* scope: SCOPE */            of staticdeps; block if it is missing; both:
#                                   depbound runs staticdeps itself
#     /* registers: C */            cycles a round without memory, and with it
#     /* memory: C */
#     /* link: LABEL WAIT C K */    a link of the chain: what waits, for what,
#                                   cycles, and rounds in between
#
# Costs are those of data/machine.json and data/machine-a64.json, so that no llvm-mca is
# needed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

compiler=${CC:-cc}
prefix=''
machine=$srcdir/data/machine.json

truth() {
    sed -n -E 's|^/\* (registers\|memory): ([0-9.]+) \*/$|\1 \2|p
        s|^/\* link: ([a-z]+ [a-z]+ [0-9.]+ [0-9]+) \*/$|\1|p' "$1" | sort
}

# build SOURCE: `labelled` keeps the labels for nm; `kernel` has none, since a symbol
# ends a block.
build() {
    truth "$1" >truth && [ -s truth ] &&
        "$compiler" -nostdlib -static -Wl,-e,f -Wa,-L -Wl,--discard-none \
            -o labelled "$1" &&
        "${prefix}objcopy" --discard-locals labelled kernel &&
        "${prefix}nm" labelled | sed -n 's/^0*\([^ ]*\) . \.L\(.*\)/\1 \2/p' >labels
}

# answer: depbound's bounds and chain in the words of the truth.  An instruction
# without a label is named by its text.
answer() {
    jq -r '.loops[0] | "registers \(.registers)", "memory \(.memory)",
        (.chain[] | "\(.to.address) \(.wait) \(.cycles) \(.rounds) \(.to.text)")
        ' report.json |
        awk '
            FILENAME == "labels" { label[$1] = $2; next }
            NF == 2 { print; next }
            { at = sprintf("%x", $1) }
            at in label { print label[at], $2, $3, $4; next }
            { print }' labels - | sort
}

as_the_truth() {
    scope=$(sed -n 's|^/\* scope: \([a-z]*\) \*/$|\1|p' "$1")
    case $scope in
        both) set -- kernel ;;
        *) run staticdeps --scope="${scope:-block}" -o k.db kernel && set -- k.db ;;
    esac &&
        run depbound --cpu="$machine" --llvm-mca=none \
            --format=json "$1" >report.json &&
        answer >answer && same truth answer
}

# chains FOLDER WHAT: tests each kernel of a folder.
chains() {
    for source in "$srcdir/kernels/$1"/*.s; do
        kernel=$(basename "$source" .s)
        ok "the $2 $kernel is built, and has a truth" build "$source"
        ok "depbound finds the critical chain of the $2 $kernel" \
            as_the_truth "$source"
    done
}

chains cycles kernel
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    compiler=aarch64-linux-gnu-gcc
    prefix=aarch64-linux-gnu-
    machine=$srcdir/data/machine-a64.json
    chains cycles-a64 "kernel for AArch64"
else
    skip "depbound finds the critical chain of kernels for AArch64" \
        "there is no aarch64-linux-gnu-gcc"
fi
end_of_cases
