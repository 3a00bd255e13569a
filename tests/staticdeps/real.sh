#!/bin/sh
# staticdeps on real programs: the twenty largest of the system that are at most 3 MB.
# Each takes at most 512 MiB, and has the same rows for any number of workers.  A
# build with --enable-sanitizers finds more.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

ASAN_OPTIONS=quarantine_size_mb=8 # what ASan keeps of freed memory is not ours
export ASAN_OPTIONS

is_within_memory() {
    time -o memory -f %M staticdeps -o a.db --jobs=1 "--scope=$2" "$1" || return
    echo "$(cat memory) KiB"
    [ "$(tail -n 1 memory)" -le 524288 ]
}

rows() {
    sqlite3 "$1" 'SELECT * FROM object; SELECT * FROM block; SELECT * FROM dep;
        SELECT * FROM analysis'
}

has_the_same_rows() {
    staticdeps -o b.db --jobs=3 "--scope=$2" "$1" || return
    rows a.db >a.rows
    rows b.db >b.rows
    cmp a.rows b.rows
}

command -v time >/dev/null || skip_all "time is not installed"
find /usr/bin -type f -size -3000k -printf '%s %p\n' | sort -rn |
    while read -r _ file; do
        # the magic number, and the machine that the file is for
        [ "$(od -An -tx1 -N4 "$file" | tr -d ' ')" = 7f454c46 ] || continue
        [ "$(od -An -tx1 -j18 -N2 "$file" | tr -d ' ')" = 3e00 ] || continue
        echo "$file"
    done | head -n 20 >files
# is_sound: SQLite finds no damage, and each row is as the schema demands.
is_sound() {
    equal "$(sqlite3 a.db 'PRAGMA integrity_check')" ok
}
n=0
while read -r file; do
    n=$((n + 1))
    for scope in block loop function program; do
        case $n,$scope in
        [123],* | *,block | *,loop) ;;
        *) continue ;; # walks take their time
        esac
        ok "$file, $scope: the analysis takes at most 512 MiB" is_within_memory "$file" $scope
        ok "$file, $scope: the database is sound" is_sound
        ok "$file, $scope: the rows do not depend on --jobs" has_the_same_rows "$file" $scope
    done
done <files
ok "the system has twenty programs to analyse" [ "$(wc -l <files)" -eq 20 ]

# A library whose members are too many to be analysed at once.
rows_of() {
    sqlite3 "$1" "SELECT function, start, \"end\", instructions, status, src, dst,
        delta_k, support FROM object JOIN block USING(object_id)
        LEFT JOIN dep USING(block_id) WHERE path LIKE '%$2'
        ORDER BY block_id, src, dst, delta_k"
}
has_the_members_as_they_are_alone() {
    staticdeps -o a.db "$1" || return
    mkdir members
    (cd members && ar x "$1")
    [ "$(ls members | wc -l)" -ge 1000 ] || return
    ls members | awk 'NR % 20 == 0' | while read -r member; do
        rows_of a.db "($member)" >a.rows
        [ -s a.rows ] || continue # it has no code, which alone is an error
        staticdeps -o b.db "members/$member" || exit
        rows_of b.db "/$member" >b.rows
        cmp a.rows b.rows || exit
    done
}
libc=$(${CC:-cc} -print-file-name=libc.a)
ok "members of $libc have the pairs that they have alone" \
    has_the_members_as_they_are_alone "$libc"
end_of_cases
