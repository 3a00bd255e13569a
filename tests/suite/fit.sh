#!/bin/sh
# research/suite/layouts/fit.c against values that NIST and R have computed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

command -v jq >/dev/null || skip_all "jq is not installed"
"${CC:-cc}" -std=gnu11 -O2 -o fit "$root/research/suite/layouts/fit.c" \
    -lgsl -lgslcblas -lm 2>/dev/null || skip_all "GSL is not installed"

# The tables of tests/data/fit: SET.tsv has points, SET.expected lines "KEY NUMBER".
# close TOLERANCE FILE: is each number of FILE that of standard input, within a relative
# tolerance?
close() {
    jq -r 'to_entries[] | "\(.key) \(.value)"' | awk -v tolerance="$1" '
        /^#/ { next }
        NR == FNR { is[$1] = $2; next }
        {
            d = is[$1] - $2
            size = $2 < 0 ? -$2 : $2
            if (!($1 in is) || is[$1] == "null" || d > tolerance * size ||
                -d > tolerance * size) {
                print $1 ": " is[$1] ", not " $2
                bad = 1
            }
            n++
        }
        END { exit bad || n == 0 }' - "$2"
}
fitted() {
    ./fit --resamples=0 <"$srcdir/data/fit/$1.tsv" |
        close "$2" "$srcdir/data/fit/$3.expected"
}
# bands SET: the rows of R have x, the line, and the bands of confidence and prediction.
bands() {
    n=$(grep -c . "$srcdir/data/fit/$1.band")
    ./fit --band=$((n - 1)) <"$srcdir/data/fit/$1.tsv" | paste - \
        "$srcdir/data/fit/$1.band" | awk '
            {
                for (i = 1; i <= 6; i++) {
                    d = $i - $(i + 6)
                    if (d > 1e-8 * (1 + $2 * $2) || -d > 1e-8 * (1 + $2 * $2)) {
                        print
                        bad = 1
                    }
                }
            }
            END { exit bad || NR < 3 }'
}
# resampled SET: R's bootstrap uses other random numbers.
resampled() {
    ./fit --resamples=20000 <"$srcdir/data/fit/$1.tsv" |
        close 0.05 "$srcdir/data/fit/$1.resampled"
}
mean() {
    ./fit --mean <"$srcdir/data/fit/mean.txt" |
        close 1e-9 "$srcdir/data/fit/mean.expected"
}
ok "fit agrees with the values that NIST certifies for Norris" fitted norris 1e-10 norris-nist
for set in norris few steep flat; do
    ok "fit of $set agrees with R" fitted $set 1e-9 $set
    ok "both bands of $set agree with R" bands $set
done
for set in few steep; do
    ok "resampling of $set agrees with R within 5 %" resampled $set
done
ok "a mean and its interval agree with R" mean
# says TEXT INPUT OPTION...: does fit print this text for these lines?
says() {
    expected=$1 lines=$2
    shift 2
    # shellcheck disable=SC2059 # with \n
    printf "$lines" | ./fit "$@" >printed
    cat printed
    [ "$(cat printed)" = "$expected" ]
}
cases <<'END'
fit has no figures for two points :: says '{"n":2,"slope":null}' '1 1\n2 2\n'
fit has no figures if all x are the same :: says '{"n":3,"slope":null}' '1 1\n1 2\n1 3\n'
fit has no figures without points :: says '{"n":0,"slope":null}' ''
fit draws no band if all x are the same :: says '' '1 1\n1 2\n1 3\n' --band=9
the interval of one value is unknown :: says '{"n":1,"mean":4,"low":null,"high":null}' '4\n' --mean
END
ok "points on a line have no error" sh -c '
    printf "1 3\n2 5\n3 7\n4 9\n" | ./fit --resamples=100 |
        jq -e "(.slope - 2 | fabs) < 1e-12 and (.slope_low - 2 | fabs) < 1e-9 and
            (.slope_resampled_high - 2 | fabs) < 1e-9 and .r2 > 1 - 1e-12"'

for line in 1 '1 2 3' 'x 1' '1 nan' '1 inf' ''; do
    ok "fit refuses \"$line\" as a point" refused_by fit "$line\n"
done
for option in --resamples=-1 --seed= --band=0 --band=x --median; do
    ok "fit refuses $option" refused_by fit '1 2\n' $option
done
end_of_cases
