# What the tests of staticdeps share.  Sourced in place of lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
. "$srcdir/lib.sh"

# The tests and the shells that they start call staticdeps by its name.
PATH=$DEPSIM_BUILD/staticdeps:$PATH

# query DATABASE SQL: the rows, with columns separated by |.
query() {
    sqlite3 -batch -noheader "$1" "$2"
}

# holds WHAT DATABASE SQL TEXT: one case: are the rows, joined by blanks, this text?
holds() {
    ok "$1" equal "$(query "$2" "$3" | paste -s -d ' ' -)" "$4"
}

# finds WHAT TEXT SQL ARGUMENT...: one case: does staticdeps with these arguments write
# b.db with these rows?
finds() {
    what=$1 text=$2 sql=$3
    shift 3
    ok "$what" equal "$(staticdeps -o b.db "$@" &&
        query b.db "$sql" | paste -s -d ' ' -)" "$text"
}

# seconds FACTOR: the processor time of a reference run on this machine, times FACTOR,
# for `ulimit -t`.  No verdict depends on the speed of the machine.
seconds() {
    yes 02000000c3 | head -n 20000 >reference
    (staticdeps --jobs=1 -o reference.db --hex=reference && times) |
        awk -v factor="$1" -F '[ms ]+' 'NR == 2 {
            gsub(",", ".")
            n = factor * (60 * $1 + $2 + 60 * $3 + $4)
            print int(n) + 1
        }'
}

# needs PROGRAM WHAT COMMAND...: one case, which is skipped if the program is missing.
needs() {
    needed=$1
    shift
    ok_if 'command -v "$needed"' "needs $needed" "$@"
}

# --- Kernels, with the truth beside their code, and the file labels of assemble() ---

# by_label: the lines that begin with two addresses of labels, with these labels.
by_label() {
    awk 'FILENAME == "labels" { label[$1] = $2; next }
        ($1 in label) && ($2 in label) {
            $1 = label[$1]
            $2 = label[$2]
            print
        }' labels -
}

# answers COLUMN [OF RULE]: has the file pairs the pairs that this column of the file
# truth says, or those where column OF is a rule?
answers() {
    awk -v column="$1" -v of="${2-0}" -v rule="${3-}" '
        FILENAME == "pairs" { is[$1, $2] = 1; next }
        of && $of != rule { next }
        ((($1, $2) in is) ? "yes" : "no") != $column {
            print $1 " -> " $2 ": not " $column
            bad = 1
        }
        END { exit bad }
    ' pairs truth
}

# --- Programs of several files ---

compiler=${CC:-cc}

# library NAME [OPTION...]: builds NAME.so from NAME.c.
library() {
    name=$1
    shift
    "$compiler" -O1 -fPIC -shared -Wl,-soname,"$name.so" "$@" -o "$name.so" \
        "$name.c"
}

# program [OPTION...] LIBRARIES: builds bench from bench.c.
program() {
    "$compiler" -O1 -o bench bench.c -L. "$@"
}

# The functions of all analysed files as "FILE:FUNCTION", for pairs of them.
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

# analyse FILE...: runs ./bench under depsim and analyses the files; the pairs of
# functions are in the files observed and predicted.
analyse() {
    rm -f deps.db
    run staticdeps --scope=program -o k.db "$@" &&
        run valgrind --quiet --tool=depsim --deps-file=deps.db ./bench &&
        observed deps.db k.db >observed && predicted k.db >predicted
}

# has yes|no "SRC DST": is the pair in both files, or in none?
has() {
    for file in observed predicted; do
        answer=no
        ! grep -q -x "$2" $file || answer=yes
        [ $answer = "$1" ] || { echo "$file: $2: not $1"; cat $file; return 1; }
    done
}
