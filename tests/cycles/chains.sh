#!/bin/sh
# The critical chain of each kernel in kernels/cycles against the truth beside
# its code.
#
#     /* scope: SCOPE */            of staticdeps; block if it is missing; both:
#                                   depbound runs staticdeps itself
#     /* registers: C */            cycles a round without memory, and with it
#     /* memory: C */
#     /* link: LABEL WAIT C K */    a link of the chain: what waits, for what,
#                                   cycles, and rounds in between
#
# Costs are those of data/machine.json, so that no llvm-mca is needed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

compiler=${CC:-cc}

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
        objcopy --discard-locals labelled kernel &&
        nm labelled | sed -n 's/^0*\([^ ]*\) . \.L\(.*\)/\1 \2/p' >labels
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
        run depbound --cpu="$srcdir/data/machine.json" --llvm-mca=none \
            --format=json "$1" >report.json &&
        answer >answer && same truth answer
}

for source in "$srcdir"/kernels/cycles/*.s; do
    kernel=$(basename "$source" .s)
    ok "the kernel $kernel is built, and has a truth" build "$source"
    ok "depbound finds the critical chain of the kernel $kernel" \
        as_the_truth "$source"
done
end_of_cases
