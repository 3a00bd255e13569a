# What the tests of staticdeps share.  Sourced in place of lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
. "$srcdir/lib.sh"

# The program itself, also for what is run by another shell.
PATH=$DEPSIM_BUILD/staticdeps:$PATH

# query DATABASE SQL
query() {
    sqlite3 -batch -noheader "$1" "$2"
}

# --- Programs of several files ---

compiler=${CC:-cc}

# library NAME [OPTION...]: NAME.so from NAME.c.
library() {
    name=$1
    shift
    "$compiler" -O1 -fPIC -shared -Wl,-soname,"$name.so" "$@" -o "$name.so" \
        "$name.c"
}

# program [OPTION...] LIBRARIES: bench from bench.c.
program() {
    "$compiler" -O1 -o bench bench.c -L. "$@"
}

# Functions of all analysed files, "FILE:FUNCTION" each; then pairs of them.
places="place AS (SELECT function_id, o.build_id, start, \"end\",
        replace(path, rtrim(path, replace(path, '/', '')), '') || ':' || name
        AS name
    FROM s.function JOIN s.object AS o USING(object_id))"
predicted() {
    sqlite3 -batch -noheader :memory: "ATTACH '$1' AS s; WITH $places
        SELECT DISTINCT a.name || ' ' || b.name FROM s.dep
            JOIN s.block AS p ON p.block_id = src_block
            JOIN s.block AS q ON q.block_id = dst_block
            JOIN place AS a ON a.function_id = p.function_id
            JOIN place AS b ON b.function_id = q.function_id"
}
observed() {
    sqlite3 -batch -noheader "$1" "ATTACH '$2' AS s; WITH $places
        SELECT DISTINCT a.name || ' ' || b.name FROM main.dep
            JOIN main.object AS o ON o.object_id = src_object
            JOIN main.object AS p ON p.object_id = dst_object
            JOIN place AS a ON a.build_id = o.build_id
                AND src >= a.start AND src < a.\"end\"
            JOIN place AS b ON b.build_id = p.build_id
                AND dst >= b.start AND dst < b.\"end\""
}

# analyse FILE...: the pairs of both, in the files observed and predicted.
analyse() {
    rm -f deps.db
    run staticdeps --scope=program -o k.db "$@" &&
        run valgrind --quiet --tool=depsim --deps-file=deps.db ./bench &&
        observed deps.db k.db >observed && predicted k.db >predicted
}

# has yes|no "SRC DST"
has() {
    for file in observed predicted; do
        answer=no
        ! grep -q -x "$2" $file || answer=yes
        [ $answer = "$1" ] || { echo "$file: $2: not $1"; cat $file; return 1; }
    done
}
