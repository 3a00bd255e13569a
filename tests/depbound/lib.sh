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

# as_tables COLUMNS ARGUMENT...: has cost.db the rows and figures of the JSON report?  Each
# column but these, "TABLE.COLUMN ...", must be a member of some row.
as_tables() {
    absent=$1
    shift
    report --format=json --top=9999 --min-share=0 -o cost.db "$@" && python3 - "$absent" <<'END'
import json, sqlite3, sys
db = sqlite3.connect("cost.db")
db.row_factory = sqlite3.Row
tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
filled, known = set(), {}
def members(value, before=""):
    for key, member in value.items():
        if isinstance(member, dict):
            yield from members(member, before + key + "_")
        else:
            yield before + key, member
def same(a, b):
    return a == b or isinstance(a, float) and b is not None and abs(a - b) <= 1e-9 * abs(b)
def compare(table, rows, of_row):
    if table not in tables:
        return
    got = [dict(row) for row in db.execute(f"SELECT rowid AS id, * FROM {table}")]
    got = [row for row in got if row.pop("of_row", of_row) == of_row]
    assert len(got) == len(rows), (table, len(got), len(rows))
    for row, members_of in zip(got, rows):
        wanted, number = dict(members(members_of)), row.pop("id")
        for column, value in row.items():
            assert same(value, wanted.get(column)), (table, column, value, wanted.get(column))
            known[table, column] = column in wanted or known.get((table, column), False)
        filled.add(table)
        for key, value in wanted.items():
            if isinstance(value, list):
                compare(f"{table}_{key}", value, number)
report = json.load(open("out"))
compare("report", [{k: v for k, v in report.items() if not isinstance(v, (dict, list))}], 0)
for key, value in report.items():
    if isinstance(value, (dict, list)):
        compare(key, value if isinstance(value, list) else [value], 0)
unknown = {f"{table}.{column}" for (table, column), is_known in known.items() if not is_known}
print(filled, unknown)
sys.exit(unknown != set(sys.argv[1].split()))
END
}

# of_schema ARGUMENT...: does the JSON report match its schema?
of_schema() {
    report --format=json "$@" && python3 "$srcdir/covcheck/json-schema.py" \
        "$root/doc/depbound.schema.json" out
}
has_schemas='python3 -c "import jsonschema"'
no_schemas="there is no python3-jsonschema"
