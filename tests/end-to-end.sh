#!/bin/sh
# The three commands as a user types them, on programs that others wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

# whole NAME COMMAND...: records the command, analyses its program, and compares the
# two.
whole() {
    name=$1
    shift
    rm -f deps.db static.db
    ok "depsim records $name" run valgrind -q --tool=depsim --lifetime=1024 "$@"
    ok "staticdeps analyses $name" run staticdeps "$(command -v "$1")"
    ok "covcheck compares the databases of $name" run covcheck deps.db static.db
    run covcheck --min-share=0 --format=json deps.db static.db >report.json
    ok "blocks of $name ran, and its dependencies were scored or span blocks" \
        has_data report.json
}

has_data() {
    sqlite3 :memory: "
        WITH row(r) AS (SELECT value FROM
            json_each(CAST(readfile('$1') AS TEXT), '\$.lifetimes'))
        SELECT sum(r ->> 'found' + r ->> 'missed' + r ->> 'spanning') > 0
            AND min(r ->> 'lifetime') = 1024 FROM row" | grep -qx 1
}

awk 'BEGIN { for (i = 0; i < 3000; i++) print i * i % 911, "lines of text" }' \
    >text

whole kernel "$kernels/prefix-sum"
whole gzip gzip -k text
ok "gzip compresses right under depsim" sh -c 'gzip -dc text.gz | cmp - text'
whole sqlite3 sqlite3 x.db 'CREATE TABLE t(a); INSERT INTO t VALUES(3), (4);
    CREATE TABLE sum AS SELECT sum(a) AS a FROM t'
ok "sqlite3 computes right under depsim" sh -c '[ "$(sqlite3 x.db "SELECT a FROM sum")" = 7 ]'

end_of_cases
