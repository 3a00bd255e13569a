#!/bin/sh
# Jumps and calls through tables, of each shape that compilers make.
#
# The functions of kernels/jumps/shapes.c say how many cells they have.  A cell counts
# if the pair of its store and its load is found, by walks from the entry or by flow.
# The functions of kernels/jumps/calls.cc say which functions load what they stored.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

source=$srcdir/kernels/jumps/shapes.c

# The file truth has "FUNCTION N" for each function, and the file lines "LINE store" or
# "LINE load".
awk '/^int .*\(/ { name = $2; sub(/\(.*/, "", name) }
    /return sum\(out\) / { print name, $(NF - 1) }' "$source" | sort >truth
awk '/\/\* store \*\// { print FNR, "store" } /\/\* load \*\// { print FNR, "load" }' \
    "$source" >lines
all=$(awk '{ n += $2 } END { print n }' truth)
ok "the source of jumps has at least twelve functions" [ "$(wc -l <truth)" -ge 12 ]

# found COMPILER...: "FUNCTION N" for each function, where N of its cells are found.
found() {
    "$@" -g -nostdlib -Wl,-e,dense -o kernel "$source" &&
        run staticdeps --scope=program --without=middle -o k.db kernel || return
    query k.db "SELECT DISTINCT printf('%s %x %x', function.name, src, dst)
        FROM dep JOIN block ON block_id = src_block
        JOIN function USING (function_id)" >pairs
    for end in 2 3; do
        cut -d ' ' -f "$end" pairs | addr2line -e kernel | sed 's/ (.*//; s/.*://'
    done | awk -v n="$(wc -l <pairs)" '{ line[(NR - 1) % n] = line[(NR - 1) % n] " " $1 }
        END { for (i = 0; i < n; i++) print line[i] }' | paste -d ' ' pairs - |
        awk 'FILENAME == "lines" { is[$1, $2] = 1; next }
            FILENAME == "truth" { n[$1] = 0; next }
            (($4, "store") in is) && (($5, "load") in is) && !seen[$1, $5]++ {
                n[$1]++
            }
            END { for (name in n) print name, n[name] }' lines truth - | sort
}

# jumps COMPILER...: is a cell of each function found, and nine of ten cells in all?
jumps() {
    found "$@" >got && join truth got | awk -v all="$all" '
        { n += $3 }
        $3 != $2 { print $1 ": " $3 " of " $2 }
        $3 == 0 { bad = 1 }
        END { print n, all >>"jumps.counts"; exit bad || n < 0.9 * all }'
}
# most CHECK: is nine of ten found in all runs of CHECK?
most() {
    awk '{ n += $1; all += $2 }
        END { print n " of " all; exit NR == 0 || n < 0.9 * all }' "$1.counts"
}

# each_kind COMPILER CHECK [OPTION...]: runs CHECK at each level of optimisation, for
# code with fixed addresses and for code that can be moved.
each_kind() {
    cc=$1 check=$2
    shift 2
    for level in 0 1 2 3 s; do
        for kind in "-fno-pic -static" "-fPIC -shared"; do
            # shellcheck disable=SC2086 # two options
            needs "$cc" "$check of $cc -O$level $kind are followed" "$check" "$cc" \
                "-O$level" $kind "$@"
        done
    done
}
for compiler in "${CC:-cc}" clang aarch64-linux-gnu-gcc; do
    each_kind "$compiler" jumps
done
ok "nine of ten jumps are followed: $(most jumps)" most jumps

# --- Calls ---

source=$srcdir/kernels/jumps/calls.cc
sed -n 's|.*/\* \([a-z]*\): \(.*\) \*/|\1 \2|p' "$source" |
    awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort >truth
ok "the source of calls has ten of them" [ "$(wc -l <truth)" -eq 10 ]

# calls COMPILER...: is more than half found?  Each walk takes one target of a call.
calls() {
    "$@" -nostdlib -Wl,-e,seen -Wl,--unresolved-symbols=ignore-all -o kernel \
        "$source" && run staticdeps --scope=program -o k.db kernel || return
    query k.db "SELECT DISTINCT s.name || ' ' || d.name FROM dep
        JOIN block AS sb ON sb.block_id = src_block
        JOIN block AS db ON db.block_id = dst_block
        JOIN function AS s ON s.function_id = sb.function_id
        JOIN function AS d ON d.function_id = db.function_id" | c++filt -p |
        sort -u >got
    comm -23 truth got | sed 's/^/not: /'
    n=$(comm -12 truth got | wc -l)
    echo "$n 10" >>calls.counts
    [ "$n" -gt 5 ]
}
for compiler in "${CXX:-c++}" clang++ aarch64-linux-gnu-g++; do
    each_kind "$compiler" calls
done
ok "nine of ten calls are followed: $(most calls)" most calls
end_of_cases
