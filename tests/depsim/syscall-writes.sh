#!/bin/sh
# Memory that changes without a store: system calls, mappings, signal frames.
# programs/unwritten.h describes the cases and what is expected of them.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# dependencies PROGRAM: runs it, and prints lines "FUNCTION FUNCTION OCCURRENCES".
dependencies() {
    depsim --deps-file="$1.db" "./$1" || return
    { symbols "$1"; echo "
        SELECT store, load, sum(occurrences) FROM named GROUP BY 1, 2"
    } | sql -separator ' ' "$1.db"
}

observed() {
    "$CC" -std=c11 -O1 -o "$1" "$srcdir/programs/$1.c" &&
        dependencies "$1" >"$1.deps"
}

# is_right PROGRAM CASE: is the dependency there if the case keeps it, and only then?
is_right() {
    grep "^[a-z]*_$2 [a-z]*_$2 " "$1.deps" # shown if it fails
    grep -qx "keep_$2 look_$2 2" "$1.deps" || return
    case $2 in
    kept_*) grep -q "^store_$2 load_$2 " "$1.deps" ;;
    *) ! grep -q "^store_$2 load_$2 " "$1.deps" ;;
    esac
}

for source in "$srcdir"/programs/unwritten-*.c; do
    program=$(basename "$source" .c)
    ok "the program $program runs under depsim" observed "$program"
    for case in $(nm "$program" | sed -n 's/.* store_\([^.]*\).*/\1/p'); do
        ok "memory has the right writer after a change: $program, $case" \
            is_right "$program" "$case"
    done
done
end_of_cases
