# The plans for programs of the system.  Sourced by scripts/table3-programs behind
# suite/lib/plan.sh.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $table, lib/plan.sh $tab

# The bytes of a program and of the libraries that it is linked with.
bytes() {
    cat "$1"
    ldd "$1" 2>/dev/null | awk '
        $3 ~ /^\// { print $3 }
        $1 ~ /^\// { print $1 }' | xargs cat
}

# A line for each program.  One that is not installed has no bytes; its job fails.
plan_programs() {
    made_by=$({
        tools programs/run-program
        cat inputs/*
    } | hash)
    grep '^[^#]' "$table" | while read -r name _ status command; do
        eval "set -- $command"
        program=$(PATH=/usr/bin:/bin command -v "$1") || program=/dev/null
        printf '%s\t%s-%s\t%s %s\n' "$name" "$(bytes "$program" | hash)" \
            "$made_by" "$status" "$command"
    done
}

# A line for each program or library that ran in one of those that are done.
plan_objects() {
    made_by=$(tools programs/analyse-object lib/instructions | hash)
    done_of run-program runs | sed 's|.*|runs/&/objects|' | xargs cat |
        sort -t "$tab" -u -k 1,1 | while IFS=$tab read -r id path; do
            printf '%s-%.8s\t%s-%s\t%s\n' "${path##*/}" "$id" "$id" \
                "$made_by" "$path"
        done
}
