# The tables of the kernels, and the plans that are made of them.  Sourced by
# research/run coverage after suite/lib/plan.sh.
#
# $variants_of is the table of variants, $times the share of the repetitions that are
# measured, and $measure the job that measures.
#
# A job's name is KERNEL.VARIANT.  The setting is the command that compiles, or
# how often the kernel repeats.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # $root is where the project is

variants_of=variants times=1 measure=measure

# kernels LIST, variants LIST: the lines of the table, or those whose names are in
# the list; names are separated by commas.
kernels() {
    chosen tests/kernels/c/sizes "$1"
}
variants() {
    chosen "research/suite/kernels/$variants_of" "$1"
}
chosen() {
    awk -v list="$2" '
        BEGIN { n = split(list, names, ","); for (i in names) wanted[names[i]] }
        !/^#/ && (n == 0 || $1 in wanted)' "$root/$1"
}

# plan_builds KERNELS VARIANTS
plan_builds() {
    variants "$2" | while read -r variant compiler flags; do
        made_by=$({
            "$compiler" --version
            cat "$root/research/suite/kernels/build"
        } | hash)
        echo "$variant $made_by $compiler $flags"
    done >state/variants
    kernels "$1" | while read -r kernel _ n _; do
        source=$(cat "$root/tests/kernels/c/$kernel.c" \
            "$root/tests/kernels/c/kernel.h" | hash)
        while read -r variant made_by compiler flags; do
            printf '%s.%s\t%s-%s\t%s -std=c11 -g -DSIZE=%s %s\n' "$kernel" \
                "$variant" "$source" "$made_by" "$compiler" "$n" "$flags"
        done <state/variants
    done
}

# plan_runs NAME...: of binaries with the same code, the first one.  The others
# go to state/same, each with the first.
plan_runs() {
    made_by=$(measured_by "kernels/$measure" | hash)
    : >state/same
    for name; do
        [ ! -e "binaries/$name/written" ] ||
            echo "$name $(cat "binaries/$name/sums")"
    done | awk '
        $2 in first { print $1, first[$2] >"state/same"; next }
        { first[$2] = $1; print $1, $3 }' |
        while read -r name file; do
            printf '%s\t%s-%s\t%s\n' "$name" "$file" "$made_by" \
                "$(kernels "${name%%.*}" | awk -v times="$times" '
                    { print int($4 * times + 1) - (times == 1) }')"
        done
}

# plan_predictions: of the binaries that were measured.
plan_predictions() {
    made_by=$(predicted_by kernels/predict | hash)
    for name in $(done_of measure runs); do
        [ ! -e "runs/$name/deps.db" ] || printf '%s\t%s-%s\t-\n' "$name" \
            "$(cut -d ' ' -f 2 "binaries/$name/sums")" "$made_by"
    done
}
