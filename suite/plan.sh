# The tables of the suite, and the plans that are made of them.  Sourced by
# scripts/table3, in the directory of the results.
#
# A plan has a line for each job, with tabs between: a name (KERNEL.VARIANT), the
# hashes of what goes in, and the setting: the command that compiles, or how often
# the kernel repeats.  A job is done when its place has the very same line.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # $root is where the project is

tab=$(printf '\t')

# kernels LIST, variants LIST: the lines of the table, or those whose names are in
# the list; names are separated by commas.
kernels() {
    chosen tests/kernels/c/sizes "$1"
}
variants() {
    chosen suite/variants "$1"
}
chosen() {
    awk -v list="$2" '
        BEGIN { n = split(list, names, ","); for (i in names) wanted[names[i]] }
        !/^#/ && (n == 0 || $1 in wanted)' "$root/$1"
}

# hash: of standard input.
hash() {
    sha256sum | cut -c 1-16
}

# plan_builds KERNELS VARIANTS
plan_builds() {
    variants "$2" | while read -r variant compiler flags; do
        made_by=$({
            "$compiler" --version
            cat "$root/suite/build"
        } | hash)
        echo "$variant $made_by $compiler $flags"
    done >state/variants
    kernels "$1" | while read -r kernel _ n _; do
        source=$(cat "$root/tests/kernels/c/$kernel.c" \
            "$root/tests/kernels/c/kernel.h" | hash)
        while read -r variant made_by compiler flags; do
            printf '%s.%s\t%s-%s\t%s -std=c11 -g -DN=%s %s\n' "$kernel" \
                "$variant" "$source" "$made_by" "$compiler" "$n" "$flags"
        done <state/variants
    done
}

# tools PART...: what measures, with these parts of the suite, as one text.
tools() {
    valgrind --version
    # shellcheck disable=SC2016
    "$root/scripts/run-in-tree" sh -c '
        cat "$(command -v staticdeps)" "$VALGRIND_LIB"/depsim*' | hash
    for part in job.sh "$@"; do
        cat "$root/suite/$part"
    done
}

# plan_runs NAME...: of binaries with the same code the first one.  The others
# go to state/same, each with the first.
plan_runs() {
    made_by=$(tools measure | hash)
    : >state/same
    for name; do
        [ ! -e "binaries/$name/written" ] ||
            echo "$name $(cat "binaries/$name/sums")"
    done | awk '
        $2 in first { print $1, first[$2] >"state/same"; next }
        { first[$2] = $1; print $1, $3 }' |
        while read -r name file; do
            printf '%s\t%s-%s\t%s\n' "$name" "$file" "$made_by" \
                "$(kernels "${name%%.*}" | awk '{ print $4 }')"
        done
}

# undone PLAN PLACE: the lines of the plan of which nothing is in the place.
undone() {
    find "$2" -path '*/written' -exec cat {} + 2>/dev/null |
        awk '!plan { done[$0]; next } !($0 in done)' - plan=1 "$1"
}

# done_of JOB PLACE: the names of those jobs of a plan that are done.
done_of() {
    undone "state/$1" "$2" | cut -f 1 >state/undone
    cut -f 1 "state/$1" | grep -vxF -f state/undone || :
}
