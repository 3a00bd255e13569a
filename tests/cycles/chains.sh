#!/bin/sh
# The critical chain of each kernel in kernels/cycles against the truth beside
# its code.
#
#     /* scope: SCOPE */            of staticdeps; block if it is missing
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

# Once with the labels, for nm, and once without, since a symbol ends a block.
build() {
    truth "$1" >truth && [ -s truth ] &&
        "$compiler" -nostdlib -static -Wl,-e,f -Wa,-L -Wl,--discard-none \
            -o labelled "$1" &&
        objcopy --discard-locals labelled kernel &&
        nm labelled | sed -n 's/^0*\([^ ]*\) . \.L\(.*\)/\1 \2/p' >labels
}

# What depbound says, as the truth has it; an instruction without a label by its
# text.
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
    run staticdeps --scope="${scope:-block}" -o k.db kernel &&
        run depbound --cpu="$srcdir/data/machine.json" --llvm-mca=none \
            --format=json k.db >report.json &&
        answer >answer && same truth answer
}

for source in "$srcdir"/kernels/cycles/*.s; do
    kernel=$(basename "$source" .s)
    ok "$kernel: its code and truth" build "$source"
    ok "$kernel: the chain" as_the_truth "$source"
done
end_of_cases
