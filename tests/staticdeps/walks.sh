#!/bin/sh
# The rules of walks: each kernel in kernels/walks against the truth beside its
# code.
#
#     /* expect: SRC -> DST  yes|no [RULE=yes|no] */
#
# says whether --scope=program predicts that the instruction at label .LDST reads
# what that at .LSRC wrote, and whether it does without a rule.  Starts in the
# middle are left out of all kernels but middle: they would come to code that a
# rule keeps walks away from.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

compiler=${CC:-cc}

# "SRC DST PREDICTED RULE PREDICTED" for each expectation; RULE is - if there is
# none.  Anything else that calls itself one is an error in the kernel.
truth() {
    awk '
        $2 != "expect:" { next }
        $4 == "->" && $6 ~ /^(yes|no)$/ && $7 == "*/" {
            print $3, $5, $6, "-", "-"
            next
        }
        $4 == "->" && $6 ~ /^(yes|no)$/ && $7 ~ /^[a-z]+=(yes|no)$/ {
            split($7, rule, "=")
            print $3, $5, $6, rule[1], rule[2]
            next
        }
        { print FILENAME ": " $0 >"/dev/stderr"; exit 1 }
    ' "$1"
}

# Once with the labels, for nm, and once without, since a symbol ends a block.
build() {
    truth "$1" >truth && [ -s truth ] &&
        "$compiler" -nostdlib -static -Wl,-e,f -Wa,-L -Wl,--discard-none \
            -o labelled "$1" &&
        objcopy --discard-locals labelled kernel &&
        nm labelled | sed -n 's/^0*\([^ ]*\) . \.L\(.*\)/\1 \2/p' >labels
}

options() {
    [ "$kernel" = middle ] || echo --without=middle
    [ "$kernel" != steer ] || echo --effort=1
}

# predicted OPTION...: "SRC DST" by label of what is predicted, in the file
# predicted.
predicted() {
    # shellcheck disable=SC2046 # a list of options
    run staticdeps --scope=program $(options) "$@" -o k.db kernel || return
    query k.db "SELECT printf('%x %x', src, dst) FROM dep" |
        awk 'FILENAME == "labels" { label[$1] = $2; next }
            ($1 in label) && ($2 in label) { print label[$1], label[$2] }
        ' labels - >predicted
}

# answers COLUMN RULE: are all pairs of that rule, or all, as the column says?
answers() {
    awk -v column="$1" -v rule="$2" '
        FILENAME == "predicted" { is[$1, $2] = 1; next }
        rule != "" && $4 != rule { next }
        ((($1, $2) in is) ? "yes" : "no") != $column {
            print $1 " -> " $2 ": not " $column
            bad = 1
        }
        END { exit bad }
    ' predicted truth
}

as_the_truth() {
    predicted && answers 3 ''
}

without() {
    predicted --without="$1" && answers 5 "$1"
}

for source in "$srcdir"/kernels/walks/*.s; do
    kernel=$(basename "$source" .s)
    ok "$kernel: is built" build "$source"
    ok "$kernel: the truth" as_the_truth
    for rule in $(awk '$4 != "-" { print $4 }' truth | sort -u); do
        ok "$kernel: without the rule \"$rule\"" without "$rule"
    done
done

end_of_cases
