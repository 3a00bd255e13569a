#!/bin/sh
# research/run itself: its questions, their usage and their pages; and the question vex
# on a small library.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"

questions=$(basename -s .sh "$root"/research/questions/*.sh)
research=$root/research/run

listed() {
    "$research" --help >help && for name in $questions; do
        grep -E "^    $name +[A-Z].*\?$" help || { echo "$name"; return 1; }
    done
}
ok "research/run --help lists every question" listed
short() {
    awk 'length > 80 { print; bad = 1 } END { exit bad }' help
}
ok "no line of research/run --help has more than 80 columns" short
without_one() {
    status=0
    "$research" >out 2>err || status=$?
    [ $status -eq 2 ] && [ ! -s out ] && cmp err help
}
ok "research/run without a question prints its help to standard error" without_one
ok "research/run refuses an unknown question" refuses run coverages "$research" coverages
for name in $questions; do
    described() {
        "$research" "$name" --help >help && grep "^    research/run $name " help &&
            grep '^    --results=DIR ' help
    }
    ok "--help of the question $name has its usage" described
    marked() {
        ! grep -q '^    --doc=' help || grep -l "^<!-- research/run $name -->" \
            "$root"/README.md "$root"/research/*.md "$root"/doc/*.md
    }
    ok "the question $name has marks in a page, if it takes --doc" marked
done

question=vex
ok "the accesses of a library are compared" ends 0 \
    "$("${CC:-cc}" -print-file-name=libgcc_s.so.1)"
ok "the table has a call's store to the stack" \
    grep -E '^\| callq? \| 0 \| 8 \| - \| - \| [0-9]+ \|' results/table.md
ok "a file that is not there is refused by the question vex" \
    refused nothing nothing
end_of_cases
