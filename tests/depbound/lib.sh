# What the tests of depbound share: how it is called, and what a report is asked.
# Sourced with $srcdir and $builddir set to the tests' directories.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034 # the scripts use the variables
. "$srcdir/lib.sh"

compiler=${CC:-cc}
cpu=--cpu=$srcdir/data/machine.json
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME

tested() {
    run depbound "$@"
}

# says TEXT ARGUMENT...: does it end with status 2 and exactly this message?
says() {
    expected_err=$1
    shift
    ends 2 "$cpu" --llvm-mca=none "$@" && [ ! -s out ] && equal "$(cat err)" "$expected_err"
}

# report ARGUMENT...: a report with costs from a file and without llvm-mca, in out.
report() {
    ends 0 "$cpu" --llvm-mca=none --verbose "$@" && [ ! -s err ]
}

# has PATTERN...: does the report have a line of each pattern?
has() {
    for pattern; do
        grep -q -e "$pattern" out || { echo "no line '$pattern'"; return 1; }
    done
}

# tells PATTERN ARGUMENT...: does a report of these arguments have such a line?
tells() {
    told=$1
    shift
    report "$@" && has "$told"
}

# holds FILTER ARGUMENT...: is this jq filter true of the JSON report?
holds() {
    filter=$1
    shift
    report --format=json "$@" && jq -e "$filter" out
}

# loop FUNCTION: a jq filter for the loop of a function.
loop() {
    echo ".loops[] | select(.function == \"$1\")"
}

# has_rows DATABASE QUERY TEXT: does the query have exactly these rows?
has_rows() {
    equal "$(sqlite3 "$1" "$2")" "$3"
}

# assembles NAME [SOURCE]: makes a static program of an assembly source with a function f.
assembles() {
    "$compiler" -nostdlib -static -Wl,-e,f -o "$1" "${2:-$1.s}"
}

# records DATABASE [OPTION...] PROGRAM [ARGUMENT...]: runs a program in depsim.
records() {
    database=$1
    shift
    run valgrind -q --tool=depsim --deps-file="$tmp/$database" "$@" && [ -s "$database" ]
}

# prepare_loops: programs/loops.c as loops, with deps.db and static.db.
prepare_loops() {
    "$compiler" -g -O2 -o loops "$srcdir/programs/loops.c" &&
        run staticdeps --scope=function -o static.db loops && records deps.db ./loops &&
        [ -s static.db ]
}

# of_schema ARGUMENT...: does the JSON report match its schema?
of_schema() {
    report --format=json "$@" && python3 "$srcdir/covcheck/json-schema.py" \
        "$root/doc/depbound.schema.json" out
}
has_schemas='python3 -c "import jsonschema"'
no_schemas="there is no python3-jsonschema"
