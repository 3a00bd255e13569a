#!/bin/sh
# staticdeps on files that are made to take much memory or time.  It may take 44 MiB
# and 20 times the size of the file, or 1500 times with walks, and time that grows as
# the file does.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"
hostile() { python3 "$srcdir/staticdeps/hostile.py" "$@"; }

# A sanitized build reserves terabytes of address space, and takes more memory.
# shellcheck disable=SC3045
(ulimit -v 1000000 && staticdeps --version >/dev/null 2>&1) ||
    skip_all "this build is sanitized"

# The slowest file takes 20 times as long as the reference, and the next one 3 times.
# A step that is quadratic takes thousands of times as long.
limit=$(seconds 100)

# in_bounds KIND TIMES [OPTION...]: does the file of that kind take at most TIMES its
# size in memory, and $limit seconds of processor time?
in_bounds() {
    kind=$1 times=$2
    shift 2
    hostile "$kind" file
    size=$(wc -c <file)
    # shellcheck disable=SC3045
    peak=$(ulimit -t "$limit" && ulimit -f 400000 &&
        hostile --peak staticdeps --jobs=1 -o file.db "$@" file) || return
    echo "$peak bytes of memory for $size of the file"
    [ "$peak" -le $((times * size + (44 << 20))) ]
}
for kind in $(hostile --kinds); do
    ok "$kind: memory, time and database are in bounds" in_bounds "$kind" 20
done
for kind in $(hostile --kinds) $(hostile --walked); do
    ok "$kind: memory, time and database are in bounds with walks" \
        in_bounds "$kind" 1500 --scope=program
done
hostile many-spins file
staticdeps --scope=function -o file.db file
left=$(query file.db "SELECT value FROM analysis
    WHERE key = 'functions_left_out'")
ok "functions for which walks have no room left are counted" test "$left" -gt 0
ok "functions that are left out, and their blocks, have no walks" \
    equal "$(query file.db "SELECT count(*) FROM walked
    WHERE walks = 0")|$(query file.db "SELECT count(*) FROM block
    WHERE walks = 0")" "$left|$left"
staticdeps --scope=function --jobs=3 -o again.db file
ok "what walks leave out does not depend on --jobs" \
    equal "$(query again.db .dump | cksum)" "$(query file.db .dump | cksum)"
for kind in rets pushes jumps calls dense; do
    ok "$kind: memory and time are in bounds with loops" in_bounds "$kind" 20 --scope=loop
    ok "$kind: memory and time are in bounds with a text" in_bounds "$kind" 20 --format=json
done

hostile names file
staticdeps -o file.db file
ok "long names that overlap are cut when they are too long together" equal \
    "$(query file.db "SELECT max(length(function)), min(length(function)),
        sum(length(function)) < 64 * count(*) + (64 + 1) * (1 << 20),
        count(*), min(function) LIKE '%...' FROM block")" "100000|63|1|50000|1"
hostile nested file
ok "a function around others has the blocks that no other one has" equal \
    "$(staticdeps -o file.db file
        query file.db "SELECT function, count(*) FROM block GROUP BY 1")" \
    "f|200000"

# value KEY: the value in the table analysis of file.db
value() { query file.db "SELECT value FROM analysis WHERE key = '$1'"; }
hostile debugdata file
staticdeps -o file.db file
ok "names too many for their file are left out, and counted" \
    equal \
    "$(value large_debugdata) $(query file.db 'SELECT count(function) FROM block')" \
    "1 0"
hostile some-debugdata file
staticdeps -o file.db file
ok "packed names that are few enough are kept" equal \
    "$(value large_debugdata) $(query file.db 'SELECT function FROM block')" "0 f"
hostile fxsaves file
staticdeps -o file.db file
ok "a block of more operations than any real one is not analysed" equal \
    "$(query file.db "SELECT status, instructions FROM block")" "too long|133333"

# addb (%rax),%al; addb %al,(%rax); ret: its analysis never settles.
hostile --code 02000000c3 100000 file
hostile --code 02000800c3 1000 few
staticdeps --jobs=1 -o file.db file
costly=$(value 'status:too costly')
ok "blocks that take too much work together have no result" \
    test "$costly" -gt 10000 -a "$costly" -lt 20000
ok "blocks before the work is too much keep their dependencies" \
    equal "$(query file.db "SELECT status, count(*),
        sum((SELECT count(*) FROM dep WHERE dep.block_id = block.block_id))
    FROM block GROUP BY 1 ORDER BY 1")" \
    "ok|$((20000 - costly))|$((20000 - costly))
too costly|$costly|0"
same_with() {
    staticdeps "$@" -o again.db file
    equal "$(query again.db .dump | cksum)" "$(query file.db .dump | cksum)"
}
ok "the blocks that are too costly do not depend on two workers" same_with --jobs=2
ok "the blocks that are too costly do not depend on seven workers" same_with --jobs=7
staticdeps -o again.db file few
ok "a costly object takes no room from the next one" \
    equal "$(query again.db "SELECT status,
    count(*) FROM block WHERE object_id = 2 GROUP BY 1")" "ok|200"
staticdeps --seeds=8 --rob=2000 -o file.db few
ok "a block has more room with more seeds" equal "$(value 'status:ok')" 200
yes 02000000c3 | head -n 2000 >lines
staticdeps -o file.db --hex=lines
ok "each line of --hex has room of its own" equal "$(value 'status:ok')" 2000
staticdeps -o file.db /bin/sh
ok "no block of real code is too costly" equal "$(value 'status:too costly')" 0

hostile rets file
staticdeps --scope=loop -o file.db file 2>err
ok "staticdeps warns of blocks too many for a graph, and analyses each alone" \
    equal \
    "$(cat err) $(value objects_without_loops) $(value blocks)" \
    "staticdeps: file: too many blocks for its size; analysed as with --scope=block 1 400000"
hostile dense file
staticdeps --scope=loop -o file.db file 2>err
ok "blocks that are few enough have a graph" equal \
    "$(cat err) $(value objects_without_loops) $(value blocks)" " 0 200001"
end_of_cases
