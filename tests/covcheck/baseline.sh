#!/bin/sh
# covcheck --baseline: what changed since an earlier report, and what was lost.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

baseline() {
    run covcheck --format=json "$@" >baseline.json
}

# lost: the lost dependencies in the JSON report in the file out.
lost() {
    ask "SELECT value ->> 'function', value ->> '\$.src.address',
        value ->> '\$.dst.address', value ->> 'occurrences', value ->> 'reason'
        FROM r, json_each(r, '\$.lost_dependencies')"
}

# --- The same build ---

new_pair
baseline deps.db static.db
nothing() {
    ends 0 --baseline=baseline.json --max-drop=0 deps.db static.db &&
        sed -n '/^since/,$p' out >got && diff - got <<'EOF'
since the baseline                before      now  points
cov_u at lifetime 512              75.0%    75.0%  +0.00 the same
cov_w at lifetime 512              61.5%    61.5%  +0.00 the same
cov_u at lifetime 1024             60.0%    60.0%  +0.00 the same
cov_w at lifetime 1024             68.6%    68.6%  +0.00 the same
cov_u at lifetime inf              60.0%    60.0%  +0.00 the same
cov_w at lifetime inf              79.2%    79.2%  +0.00 the same
precision                          75.0%    75.0%  +0.00 the same

dependencies            found now  missed now  not scored        gone
found before                    3           0           0           0
missed before                   0           2           0           0
new                             0           0

found before and missed now: 0

found before and gone now: 0
EOF
}
ok "a report beside its own baseline has no change and no loss" nothing

# Of three found dependencies the one of 100 occurrences is not predicted any
# more.  A heavier one, 4124 -> 4128 of 500 occurrences, is predicted instead.
sqlite3 static.db "DELETE FROM dep WHERE block_id = 2;
    INSERT INTO dep VALUES (3, 4124, 4128, 0, 1, 0, 1.0),
        (3, 4128, 4128, 1, 1, 1, 1.0)"
changed() {
    ends 0 --baseline=baseline.json deps.db static.db 2>/dev/null &&
        sed -n '/^since/,$p' out >got && diff - got <<'EOF'
since the baseline                before      now  points
cov_u at lifetime 512              75.0%    75.0%  +0.00 the same
cov_w at lifetime 512              61.5%    92.3%  +30.79 better
cov_u at lifetime 1024             60.0%    60.0%  +0.00 the same
cov_w at lifetime 1024             68.6%    91.4%  +22.87 better
cov_u at lifetime inf              60.0%    60.0%  +0.00 the same
cov_w at lifetime inf              79.2%    94.3%  +15.10 better
precision                          75.0%    60.0%  -15.00 worse

dependencies            found now  missed now  not scored        gone
found before                    2           1           0           0
missed before                   1           1           0           0
new                             0           0

found before and missed now: 1

  100 occurrences at distance 2 in /opt/bench
    store    1010  (no code)
                   in f+0x10
    load     1018  (no code)
                   in f+0x18
    reason one base, at another distance

found before and gone now: 0
EOF
}
# cov_w: inf (1000 + 999 + 500) / 2649, 1024 (1000 + 99 + 500) / 1749,
# 512 (600 + 99 + 500) / 1299; precision 3 of 5.
ok "the text report shows what rose, what fell and what was lost" changed
ok "a drop within --max-drop passes" ends 0 --baseline=baseline.json \
    --max-drop=15 deps.db static.db
ok "a drop of more than --max-drop fails" says 1 \
    "covcheck: /opt/bench: No such file or directory
covcheck: precision: 60.00% is more than 14.9 points below the baseline's$(
    ) 75.00%" --baseline=baseline.json --max-drop=14.9 deps.db static.db
markdown() {
    ends 0 --format=markdown --baseline=baseline.json deps.db static.db &&
        grep -q '^| precision | 75.0% | 60.0% | -15.00 worse |$' out &&
        grep -q '^| `f` | `(no code)` 1010 | `(no code)` 1018 | 100 ' out
}
ok "Markdown shows the change and what was lost" markdown
# 4112 -> 4120 does not occur any more: it is gone, not lost.  4104 -> 4108
# occurs only beyond the bound: it is not scored, neither gone nor lost.
gone() {
    new_pair
    sqlite3 deps.db "DELETE FROM dep WHERE dep_id = 5;
        DELETE FROM dep_lifetime WHERE dep_id = 5"
    ends 0 --lifetime=512 --baseline=baseline.json deps.db static.db &&
        sed -n '/^dependencies/,$p' out >got && diff - got <<'EOF'
dependencies            found now  missed now  not scored        gone
found before                    2           0           0           1
missed before                   0           1           1           0
new                             0           0

found before and missed now: 0

found before and gone now: 1

  100 occurrences in the baseline, with its addresses
    store    1010  (no code)
                   in f
    load     1018  (no code)
                   in f
EOF
}
ok "a dependency that occurs no more is gone, not lost" gone
gone_elsewhere() {
    ends 0 --format=markdown --baseline=baseline.json deps.db static.db &&
        grep -q '^| found before | 2 | 0 | 0 | 1 |$' out &&
        grep -q '^| `f` | `(no code)` 1010 | `(no code)` 1018 | 100 |$' out &&
        json 0x1010 '$.gone_dependencies[0].src' --baseline=baseline.json &&
        json '{"found":2,"missed":0,"unscored":0,"gone":1}' \
            '$.transitions.found' --baseline=baseline.json
}
ok "Markdown and JSON show what is gone" gone_elsewhere
new_pair
bounds() {
    ends 0 --lifetime=256,512 --baseline=baseline.json deps.db static.db &&
        [ "$(grep -c '^cov_. at lifetime 512  ' out)" -eq 2 ] &&
        ! grep -q '^cov_. at lifetime 256' out
}
ok "only bounds that both reports have are compared" bounds
change deps.db "DELETE FROM dep; DELETE FROM dep_lifetime"
ok "a figure that has no data any more fails --max-drop" says 1 \
    "covcheck: cov_u at lifetime inf: no data to compare with the baseline's$(
    ) 60.00%
covcheck: cov_w at lifetime inf: no data to compare with the baseline's 79.23%" \
    --lifetime=inf --baseline=baseline.json --max-drop=100 deps.db static.db
ok "--allow-empty lets a figure without data pass --max-drop" \
    says 0 "" --allow-empty --lifetime=inf \
    --baseline=baseline.json --max-drop=100 deps.db static.db
baseline deps.db static.db
new_pair
ok "a figure that had no data in the baseline passes --max-drop" \
    ends 0 --baseline=baseline.json --max-drop=0 deps.db static.db

# SQL finds what the first static.db predicts and the second does not.
many_lost() {
    new_many 3
    baseline --lifetime=inf --min-share=0 deps.db static.db
    sqlite3 static.db "CREATE TABLE gone AS SELECT * FROM dep
            WHERE (src + dst + block_id) % 5 = 0;
        DELETE FROM dep WHERE (src + dst + block_id) % 5 = 0"
    report_in_json --lifetime=inf --min-share=0 --baseline=baseline.json || return
    lost | cut -d'|' -f2-4 | sort >got
    sqlite3 deps.db "ATTACH 'static.db' AS s" \
        "SELECT DISTINCT printf('0x%x', d.src), printf('0x%x', d.dst), n
        FROM s.gone AS g JOIN s.block AS b USING(block_id)
            JOIN s.object AS o USING(object_id)
            JOIN (SELECT a.build_id, src, dst, sum(occurrences) AS n FROM dep
                JOIN object AS a ON a.object_id = src_object
                JOIN object AS z ON z.object_id = dst_object
                WHERE a.build_id = z.build_id GROUP BY 1, 2, 3) AS d
            ON d.build_id = o.build_id AND d.src = g.src AND d.dst = g.dst
        WHERE n > 0 AND (SELECT sum(executions) FROM segment AS t
            JOIN object AS q USING(object_id) WHERE q.build_id = o.build_id
                AND t.start < b.\"end\" AND b.start < t.\"end\") > 0" |
        sort >want
    [ "$(wc -l <want)" -gt 10 ] && diff want got
}
ok "an SQL query finds the same lost dependencies" many_lost

# --- Another build ---

new_pair
baseline deps.db static.db
# Another build, in which all code lies 16 bytes further on.
sqlite3 deps.db "UPDATE object SET build_id = 'b2' WHERE build_id = 'b1';
    UPDATE dep SET src = src + 16, dst = dst + 16;
    UPDATE segment SET start = start + 16, \"end\" = \"end\" + 16"
sqlite3 static.db "UPDATE object SET build_id = 'b2' WHERE build_id = 'b1';
    UPDATE dep SET src = src + 16, dst = dst + 16 WHERE block_id < 6;
    UPDATE block SET start = start + 16, \"end\" = \"end\" + 16"
nothing_lost() {
    report_in_json --baseline=baseline.json --max-drop=0 && is '' lost
}
ok "without lines a dependency is known by its place in its function" nothing_lost
lost_elsewhere() {
    sqlite3 static.db "DELETE FROM dep WHERE block_id = 2"
    report_in_json --baseline=baseline.json &&
        is "f|0x1020|0x1028|100|same-base" lost
}
ok "without lines a dependency can be lost after a rebuild" lost_elsewhere

# sums() has moved in the second build, and counts() loses its dependency.
rm -f deps.db static.db
cat >program.c <<'EOF'
#include <stdlib.h>
#ifdef MORE
__attribute__((noinline)) int before(int n)
{
    return n * n * n + 7;
}
#else
__attribute__((noinline)) int before(int n) { return n; }
#endif
__attribute__((noinline)) void sums(volatile int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}
__attribute__((noinline)) void counts(volatile int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[7]++;
}
int main(int argc, char **argv)
{
    volatile int *a = calloc(100, sizeof *a);
    (void)argv;
    sums(a, 100 + before(0) * 0);
    counts(a, 100);
    return argc > 1;
}
EOF
build() {
    "${CC:-gcc}" -g -O1 "$@" -o program program.c &&
        run valgrind -q --tool=depsim ./program && run staticdeps program
}
build && baseline deps.db static.db
ok "a program has found dependencies with lines" is counts,sums ask \
    "SELECT group_concat(value ->> 'function') FROM (SELECT value
        FROM r, json_each(r, '\$.found_dependencies')
        WHERE value ->> 'src_line' LIKE 'program.c:%'
        ORDER BY value ->> 'function')" baseline.json
cp program first
other_build() {
    sed -i '1i /* All lines are one further on. */' program.c
    build -DMORE && ! cmp -s first program
}
ok "the program is rebuilt with moved code" other_build
ok "by their lines the dependencies are found again" nothing_lost
one_lost() {
    sqlite3 static.db "DELETE FROM dep WHERE block_id IN
        (SELECT block_id FROM block WHERE function = 'counts')"
    ends 1 --baseline=baseline.json --max-drop=1 deps.db static.db &&
        grep -q '^found before and missed now: 1$' out &&
        line=$(grep -n 'a\[7\]++' program.c | cut -d: -f1) &&
        [ "$(grep -c "in counts at program.c:$line\$" out)" -eq 2 ]
}
ok "a lost dependency is shown by function and line" one_lost

# Two lines are inlined from another file.  Only the lighter one was found in the
# baseline, and none is found now.
rm -f deps.db static.db
cat >inlined.h <<'EOF'
static inline void heavy(volatile int *a) { a[1]++; }
static inline void light(volatile int *a) { a[2]++; }
EOF
cat >program.c <<'EOF'
#include "inlined.h"
__attribute__((noinline)) void counts(volatile int *a, int n)
{
    for (int i = 0; i < 2 * n; i++)
        heavy(a);
    for (int i = 0; i < n; i++)
        light(a);
}
int main(void)
{
    volatile int a[4] = {0};
    counts(a, 100);
    return a[3];
}
EOF
# forget_line OPTION...: builds, and removes the predictions of line $line of
# inlined.h.
forget_line() {
    build "$@"
    addresses=$(objdump -dl --no-show-raw-insn program | awk -v line="$line" '
        /:[0-9]+( \(.*)?$/ {is_it = $1 ~ "inlined.h:" line "$"}
        /^ +[0-9a-f]+:/ && is_it {printf "%s0x%s", n++ ? "," : "", substr($1, 1,
            length($1) - 1)}')
    sqlite3 static.db "DELETE FROM dep WHERE src IN ($addresses);
        SELECT changes()" >>forgotten
}
inlined_lost() {
    : >forgotten
    line=1 && forget_line -O1 && baseline deps.db static.db || return
    sed -i '1i /* All lines are one further on. */' program.c
    line='[12]' && forget_line -O1 -DOTHER -fno-omit-frame-pointer
    printf '1\n2\n' | diff - forgotten &&
        report_in_json --baseline=baseline.json &&
        [ "$(lost | wc -l)" -eq 1 ] &&
        [ "$(grep -A99 lost_dep out | grep -o 'inlined.h", "line": 2}' |
            wc -l)" -eq 2 ]
}
ok "only the dependency of one inlined line is lost" inlined_lost

# Two dependencies lie in one line.  The first was found, and is kept in a register
# now; the second was missed, and still is.
rm -f deps.db static.db
cat >program.c <<'EOF'
#include <stdlib.h>
__attribute__((noinline)) void both(KIND int *restrict a, int *restrict b,
                                    const int *restrict at, int n)
{
    for (int i = 0; i < n; i++) { a[3] += i; b[at[i]] ^= i; }
}
int main(int argc, char **argv)
{
    int *a = calloc(100, sizeof *a), *at = calloc(100, sizeof *at);
    (void)argv;
    both(a, a + 50, at, 100);
    return a[3] + argc == 0;
}
EOF
# moves FOUND MISSED: became that of the dependencies since the baseline?
moves() {
    report_in_json --baseline=baseline.json && is "[$1,$2]" ask \
        "SELECT json_extract(r, '\$.transitions.found', '\$.transitions.missed') FROM r"
}
none='{"found":0,"missed":0,"unscored":0,"gone":0}'
kept='{"found":0,"missed":1,"unscored":0,"gone":0}'
one_gone() {
    build -DKIND=volatile "$@" && cp program first &&
        baseline deps.db static.db || return
    line=$(grep -n 'a\[3\] +=' program.c | cut -d: -f1)
    build -DKIND= "$@" && ! cmp -s first program || return
    moves '{"found":0,"missed":0,"unscored":0,"gone":1}' "$kept" && is '' lost
}
ok "of two dependencies in a line, only the one in a register is gone" one_gone
ok "without columns the operand tells which of two dependencies is gone" \
    one_gone -gno-column-info
gone_is_told() {
    ends 0 --baseline=baseline.json deps.db static.db &&
        grep -A6 '^found before and gone now: 1$' out |
        grep "in both at program.c:$line\$"
}
ok "a dependency that is gone is shown by function and line" gone_is_told
and_back() {
    baseline deps.db static.db
    build -DKIND=volatile
    moves "$none" "$kept" &&
        json '{"found":1,"missed":0}' '$.transitions.new' \
            --baseline=baseline.json
}
ok "a dependency that occurs again is new" and_back

# --- Bad baselines ---

new_pair
baseline deps.db static.db
cp baseline.json good.json
ok "a missing baseline is refused" refuses covcheck nowhere covcheck \
    --baseline=nowhere deps.db static.db
ok "a directory is refused as a baseline" \
    refuses covcheck /tmp covcheck --baseline=/tmp \
    deps.db static.db
# bad WHAT TEXT: is the text refused as a baseline, with WHAT in the message?
bad() {
    echo "$2" >bad.json
    refuses covcheck bad.json covcheck --baseline=bad.json deps.db static.db &&
        grep -q "$1" .err
}
while IFS='|' read -r what why text <&3; do
    ok "$what is refused" bad "$why" "$text"
done 3<<'END'
an empty baseline|not JSON|
a baseline of plain text|not JSON|no report
a baseline that is a JSON array|not a covcheck JSON report|[]
a baseline that is another JSON object|not a covcheck JSON report|{"a": 1}
a baseline without dependencies|found_dependencies|{"scope": "block", "syntax": "att", "lifetimes": [], "precision": null}
a baseline with a lifetime of 0|lifetime|{"scope": "block", "syntax": "att", "lifetimes": [{"lifetime": 0, "cov_u": 1, "cov_w": 1}]}
a baseline whose figure is a text|lifetime|{"scope": "block", "syntax": "att", "lifetimes": [{"lifetime": 5, "cov_u": "1", "cov_w": 1}]}
a baseline with a figure above 100|precision|{"scope": "block", "syntax": "att", "lifetimes": [], "precision": 100.5}
a baseline whose dependency has no addresses|found dependency|{"scope": "block", "syntax": "att", "lifetimes": [], "precision": 1, "found_dependencies": [{}], "all_missed_dependencies": []}
END
ok "a baseline of brackets that never close is refused" bad "not JSON" \
    "$(head -c 100000 /dev/zero | tr '\0' '[')"
cut_off() {
    size=$(wc -c <good.json)
    for at in 1 100 1000 $((size / 2)) $((size - 3)); do
        head -c "$at" good.json >bad.json
        refuses covcheck bad.json covcheck --baseline=bad.json deps.db \
            static.db || return
    done
}
ok "a truncated baseline is refused" cut_off
large_counts() {
    sed 's/"occurrences": [0-9]*}/"occurrences": 18446744073709551615}/' \
        good.json >large.json
    ends 0 --baseline=large.json --max-drop=0 deps.db static.db
}
ok "a baseline with counts of 64 bits is read" large_counts

end_of_cases
