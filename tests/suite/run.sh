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
    ok "the question $name refuses an unknown option" refuses "$name" --what "$research" \
        "$name" --results=none --what
    grep -q '^    --doc=' help || continue
    ok "the question $name has marks in a page" grep -l "^<!-- research/run $name -->" \
        "$root"/README.md "$root"/research/*.md "$root"/doc/*.md
    ok "the question $name refuses a directory without its page" refuses "$name" \
        "$tmp" "$research" "$name" --results=none --doc="$tmp"
done
ok "a question that is refused writes nothing" [ ! -e none ]

# What questions refuse: each line has a question, what the message names, and options.
mkdir doc
echo '<!-- research/run coverage -->' >doc/results.md
echo 'nobody 3.nobody' >unknown
printf 'expr report none -\n    1  expr 1 - 1\n' >programs
while read -r question subject options; do
    # shellcheck disable=SC2086 # words
    ok "the question $question refuses $options" refused "$subject" $options
done <<'END'
coverage --jobs=x --jobs=x
coverage durbon --kernels=gemm,durbon
coverage gcc-O9 --variants=gcc-O9
coverage --arch=arm --arch=arm
coverage gcc-O2 --arch=aarch64 --variants=gcc-O2
coverage --arch --arch=aarch64 --sshlogin=:
coverage --doc --doc=doc --subset
cost nothing nothing
cost --most=0 --most=0 /bin/true
cycles none --no-measuring
effort --most=x --most=x
field nothing --list=nothing
field nobody --programs=programs --list=unknown
fixes cell_base cell_base
measure lop lop
measure gcc --variants=gcc
measure gem --kernels=gem
measure gemm_broken --kernels=gemm_broken
measure exact --variants=exact bins_two
programs nothing --programs=nothing
vex nothing nothing
END

question=vex
ok "the accesses of a library are compared" ends 0 \
    "$("${CC:-cc}" -print-file-name=libgcc_s.so.1)"
ok "the table has a call's store to the stack" \
    grep -E '^\| callq? \| 0 \| 8 \| - \| - \| [0-9]+ \|' results/table.md
end_of_cases
