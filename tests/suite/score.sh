#!/bin/sh
# research/suite/cycles/score.c against values that SciPy and R have computed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

"${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -I"$root/common" -o score \
    "$root/research/suite/cycles/score.c" "$root/common/basics.c" "$root/common/text.c" -lm ||
    exit 1

# scored FIELDS EXPECTED PAIRS: has the score of the pairs these fields, to 4 digits?  Blanks
# stand for tabs, commas end lines.
scored() {
    fields=$1 expected=$2
    shift 2
    equal "$(echo "$*" | tr ' ,' '\t\n' | ./score | cut -f "$fields" | awk -F '\t' -v OFS=' ' '
        { for (i = 1; i <= NF; i++) if ($i + 0 == $i) $i = sprintf("%.4g", $i)
          $1 = $1; print }' | paste -s -d ,)" "$expected"
}
# The example in SciPy's manual of kendalltau: -0.4714.  Errors of 0, 10, 20, 30 and 140 %.
cases <<'END'
score's tau of pairs with ties is tau-b :: scored 10 -0.4714 g a t 12 1,g b t 2 4,g c t 1 7,g d t 12 1,g e t 2 0
score's tau is 1 for the same order :: scored 2,10 "o 1" g a o 1 10,g b o 2 20,g c o 3 30
score's tau is -1 for the reverse order :: scored 2,10 "r -1" g a r 1 3,g b r 2 2,g c r 3 1
score has no tau without an order :: scored 2,10 "f " g a f 1 1,g b f 2 1
values that only a rounding error tells apart are a tie :: scored 10 0.5 g a t 1 1,g b t 2 1.0000000001,g c t 2.0000000001 3
score's errors are relative to what was measured :: scored 3,4,7-9 "5 40 10 20 30" g a t 10 10,g b t 10 9,g c t 100 120,g d t 10 13,g e t 5 12
score's median of two is between them, and groups are apart :: scored 1,8 "a 20,b 0" a x t 10 11,a y t 10 13,b x t 10 10
END

# close FILE FIELDS TOLERANCE... : are these fields of the score the numbers of the file?
close() {
    file=$srcdir/data/score/$1 fields=$2
    shift 2
    ./score --resamples=20000 <"$srcdir/data/score/pairs.tsv" | cut -f "$fields" |
        awk -v tolerances="$*" '
            FILENAME != "-" { if (!/^#/) n = split($0, expected, " "); next }
            {
                split(tolerances, tolerance, " ")
                for (i = 1; i <= n; i++) {
                    d = $i - expected[i]
                    if (d > tolerance[i] || -d > tolerance[i] || $i == "") {
                        print i ": " $i ", not " expected[i]
                        bad = 1
                    }
                }
            }
            END { exit bad || n == 0 || NF != n }' "$file" -
}
ok "score's errors and tau agree with R" close pairs.expected 3,4,7-10 \
    1e-8 1e-8 1e-8 1e-8 1e-8 1e-8
# R's bootstrap draws other sources.
ok "score's intervals agree with R's bootstrap within 0.4" \
    close pairs.resampled 5,6,11,12 0.4 0.4 0.02 0.02

# width SOURCES PAIRS: the width of the interval with this number of sources, and of
# pairs of each.
width() {
    awk -v sources="$1" -v pairs="$2" -v OFS='\t' 'BEGIN {
        for (i = 1; i <= sources; i++)
            for (j = 0; j < pairs; j++)
                print "g", "s" i, "t", 100, 100 + i * 7 % 11
    }' | ./score | awk -F '\t' '{ print $6 - $5 }'
}
ok "the interval counts sources, not pairs" is "$(width 8 1)" width 8 10
ok "four sources have no interval" is 0 width 4 10
ok "five sources have an interval" [ "$(width 5 1)" != 0 ]

pairs=$srcdir/data/score/pairs.tsv
ok "score prints nothing without pairs" is "" ./score </dev/null

for line in 'g' 'g\ta\tt\t1' 'g\ta\tt\tx\t1' 'g\ta\tt\t1\tnan' 'g\ta\tt\t0\t1' \
    'g\ta\tt\t1\t2\t3'; do
    ok "score refuses \"$line\" as a pair" refused_by score "$line\n"
done
for option in --resamples=-1 --seed= --fast; do
    ok "score refuses $option" refused_by score '' $option
done

end_of_cases
