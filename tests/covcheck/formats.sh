#!/bin/sh
# covcheck's formats, what all of them show, and gates in each of them.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

# --- JSON ---

new_pair
if is_described; [ $? -eq 77 ]; then
    skip "JSON reports match the schema" "there is no python3-jsonschema"
else
    ok "a JSON report matches the schema" is_described
    new_many 1
    ok "a report with all lists matches the schema" \
        is_described --found=all --missed=all --false=all \
        --by=block --min-cov-u=99 --min-precision=512:1 --min-cov-w=1
    cp json baseline
    ok "a report with a baseline matches the schema" \
        is_described --baseline=baseline \
        --max-drop=1 --by=function --missed=1 --false=1
    change static.db "DELETE FROM dep WHERE block_id = 2; UPDATE block SET
        function = NULL"
    ok "a report that has lost dependencies matches the schema" \
        is_described --baseline=baseline --max-drop=1 --by=function
    change deps.db "UPDATE run SET complete = 0; DELETE FROM dep_lifetime;
        DELETE FROM dep"
    ok "a report without data matches the schema" \
        is_described --by=object --missed --false --min-cov-u=1
    new_many 1
    ok "a report by line matches the schema" is_described --by=line
fi

# --- Scopes ---

scopes_agree() {
    report_in_json --lifetime=inf,1024,512 || return
    from_sql scopes >want
    ask "SELECT value ->> 'lifetime', value ->> 'occurrences', value ->> 'block',
        value ->> 'function', value ->> 'across_functions',
        value ->> 'unknown_function', value ->> 'outside'
        FROM r, json_each(r, '\$.scopes')" >got
    [ "$(wc -l <want)" -eq 3 ] && diff want got &&
        ! grep -q '|0' want # every scope is there
}
for seed in 1 2 3; do
    new_many $seed
    ok "an SQL query finds the figures of each scope (seed $seed)" scopes_agree
done

# --- Groups ---

# Groups by object are the objects of the report.
new_many 4
report_in_json --by=object
ok "--by=object has the figures of each object" \
    test "$(ask "SELECT group_concat(
    g.value -> 'lifetimes' = o.value -> 'lifetimes' AND
    g.value -> 'blocks' = o.value -> 'blocks' AND
    g.value ->> 'precision' IS o.value ->> 'precision')
    FROM r, json_each(r, '\$.groups') AS g,
        json_each(r, '\$.objects') AS o
    WHERE g.value ->> 'object' = o.value ->> 'build_id'")" = 1,1
# Blocks, functions and lines each partition what is found and missed.
for by in line function block; do
    report_in_json --lifetime=inf,1024,512 --by=$by
    ok "--by=$by divides the total among its groups" test "$(ask "SELECT
        sum(l.value ->> 'found') = r ->> '\$.lifetimes[1].found',
        sum(l.value ->> 'missed') = r ->> '\$.lifetimes[1].missed',
        sum(l.value ->> 'missed_occurrences') =
            r ->> '\$.lifetimes[1].missed_occurrences',
        sum(g.value ->> '\$.predictions.judged') =
            r ->> '\$.predictions.judged',
        count(*) >= iif('$by' = 'line', 1, 5)
        FROM r, json_each(r, '\$.groups') AS g,
            json_each(g.value, '\$.lifetimes') AS l
        WHERE l.value ->> 'lifetime' = 1024")" = "1|1|1|1|1"
done
# by_block: SQL finds what is found and missed in each block at inf.
by_block() {
    ask "SELECT g.value ->> 'object', g.value ->> 'start',
        g.value ->> '\$.lifetimes[0].found',
        g.value ->> '\$.lifetimes[0].missed',
        g.value ->> '\$.lifetimes[0].missed_occurrences'
        FROM r, json_each(r, '\$.groups') AS g
        WHERE g.value ->> '\$.lifetimes[0].found' > 0 ORDER BY 1, 2" >got
    sqlite3 deps.db "ATTACH 'static.db' AS s" "SELECT a.build_id,
            printf('0x%x', start), sum(is_found), sum(NOT is_found),
            sum(n * NOT is_found)
        FROM (SELECT a.build_id, src, dst, block_id, start, sum(occurrences)
                AS n, EXISTS (SELECT 1 FROM s.dep AS p
                    WHERE p.block_id = k.block_id AND p.src = dep.src
                        AND p.dst = dep.dst) AS is_found
            FROM dep JOIN object AS a ON a.object_id = src_object
                JOIN object AS b ON b.object_id = dst_object
                JOIN s.object AS o ON o.build_id = a.build_id
                JOIN s.block AS k ON k.object_id = o.object_id
                    AND start <= src AND src < \"end\"
                    AND start <= dst AND dst < \"end\"
            WHERE a.build_id = b.build_id
            GROUP BY 1, 2, 3 HAVING n > 0) AS a
        WHERE EXISTS (SELECT 1 FROM (VALUES $(ask "SELECT group_concat(
            '(''' || (value ->> 'object') || ''',''' || (value ->> 'start')
                || ''')') FROM r, json_each(r, '\$.groups')")) AS kept
            WHERE kept.column1 = a.build_id
                AND kept.column2 = printf('0x%x', start))
        GROUP BY 1, 2 HAVING sum(is_found) > 0 ORDER BY 1, 2" >want
    [ -s want ] && diff want got
}
ok "--by=block has what an SQL query finds in each block" by_block
new_pair
by_text() {
    ends 0 --by=block --lifetime=512 deps.db static.db &&
        grep -A99 '^ occurrences ' out | sed -n '2,/^$/p' >got &&
        diff - got <<'EOF'
found  missed    cov_u    cov_w  addresses  block
  699       0   100.0%   100.0%  1000-1010  f in /opt/bench
    0     500     0.0%     0.0%  101c-102c  f in /opt/bench
  100       0   100.0%   100.0%  1010-101c  f in /opt/bench

EOF
}
ok "--by=block has a row for each kept block in the text report" by_text

# --- Markdown ---

new_pair
cat >expected.md <<'EOF'
Of 7 dependencies through memory, 5 lie in one block; 3 of them were predicted

(in kept blocks, at any distance from store to load: lifetime inf)

Program: `/opt/bench`

| share | of all 2851 occurrences at lifetime inf |
|---:|---|
| 92.9% | scored: within one block, in kept blocks |
| 3.5% | dropped: in blocks that ran little; to keep them: --min-share=0 |
| 0.5% | spanning: beyond one block; to score it: staticdeps --scope=function |
| 3.1% | outside: in code not analysed; see below |

| lifetime | cov_u | cov_w | precision | dependencies found | dependencies missed | dependencies spanning | occurrences found | occurrences missed |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| inf | 60.0% | 79.2% | 75.0% | 3 | 2 | 2 | 2099 | 550 |

cov_u: the share of pairs that were predicted; cov_w: that of their occurrences

| occurrences found | occurrences missed | inf cov_u | inf cov_w | object |
|---:|---:|---:|---:|---|
| 2099 | 550 | 60.0% | 79.2% | `/opt/bench` |

| lifetime | one block | one function | two functions | unknown | outside | occurrences |
|---:|---:|---:|---:|---:|---:|---:|
| inf | 96.4% | 0.5% | 0.0% | 0.0% | 3.1% | 2851 |

Outside, at lifetime inf: occurrences in code that was not analysed

| occurrences | file |
|---:|---|
| 84 | `/lib/libc.so` |
| 3 | `/opt/bench`, in no block |
| 1 | `/tmp/without-identity` |

To score those listed: `staticdeps /opt/bench /lib/libc.so /tmp/without-identity`

| figure | value |  |
|---|---:|---|
| precision | 75.0% | 3 of 4 predictions occurred at any distance |
| delta-k agreement | 50.0% | 1 of 2 found have the right number of iterations |
| blocks kept (hot) | 3 | of 5 executed at least 0.1% of all instructions |
| blocks unanalysed | 1 | of those kept |

| gate |  |
|---|---|
| **FAILED** | cov_u at lifetime inf: 60.00% is below 61% |
| passed | precision: 75.00% reaches 70% |

Missed at lifetime inf: 1 of 2; all: --missed=all

| reason | dependencies | occurrences |
|---|---:|---:|
| block not analysed | 1 | 500 |
| an address was unknown | 0 | 0 |
| data-dependent: from a loaded value | 0 | 0 |
| different bases (aliased from outside) | 0 | 0 |
| beyond the unrolled window | 0 | 0 |
| one base, at another distance | 1 | 50 |

| function | store | load | occurrences | distances | note |
|---|---|---|---:|---:|---|
| `f` | `(no code)` 101c | `(no code)` 1020 | 500 | 1 to 1 | block not analysed |

Predicted, but did not occur: 1 of 1

| function | store | load | executions | note |
|---|---|---|---:|---|
| `f` | `(no code)` 1008 | `(no code)` 1008 | 1000 | Δk 1 |
EOF
markdown() {
    ends 1 --format=markdown --lifetime=inf --by=object --missed=1 --false \
        --min-cov-u=61 --min-precision=70 deps.db static.db &&
        diff expected.md out
}
ok "the Markdown report is as worked out by hand" markdown
change deps.db "UPDATE object SET path = 'a|b\`c' WHERE object_id = 1"
markdown_path() {
    shows '| `` a\\|b`c `` |$' --format=markdown --by=object
}
ok "Markdown escapes a path that could break its table" markdown_path

# --- JUnit ---

new_pair
cat >expected.xml <<'EOF'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="covcheck /opt/bench" tests="3" failures="1" errors="0" skipped="0">
    <properties>
      <property name="scored" value="Of 7 dependencies through memory, 5 lie in one block; 3 of them were predicted"/>
      <property name="cov_u at lifetime inf" value="60"/>
      <property name="cov_w at lifetime inf" value="79.23744809362023"/>
      <property name="precision at lifetime inf" value="75"/>
      <property name="cov_u at lifetime 512" value="75"/>
      <property name="cov_w at lifetime 512" value="61.50885296381832"/>
      <property name="precision at lifetime 512" value="75"/>
      <property name="precision" value="75"/>
      <property name="delta-k agreement" value="50"/>
      <property name="dependencies between threads" value="0"/>
    </properties>
    <testcase classname="covcheck /opt/bench" name="cov_u at lifetime 512, at least 75%">
      <system-out>cov_u at lifetime 512: 75.00% reaches 75%</system-out>
    </testcase>
    <testcase classname="covcheck /opt/bench" name="cov_w at lifetime inf, at least 79.3%">
      <failure message="cov_w at lifetime inf: 79.23% is below 79.3%"/>
    </testcase>
    <testcase classname="covcheck /opt/bench" name="precision, at least 0%">
      <system-out>precision: 75.00% reaches 0%</system-out>
    </testcase>
  </testsuite>
</testsuites>
EOF
junit() {
    ends 1 --format=junit --lifetime=inf,512 --min-cov-u=512:75 \
        --min-cov-w=inf:79.3 --min-precision=0 deps.db static.db &&
        diff expected.xml out
}
ok "JUnit has a test case for each gate" junit
drops_in_xml() {
    run covcheck --format=json deps.db static.db >baseline
    sqlite3 static.db "DELETE FROM dep WHERE block_id = 2"
    ends 1 --format=junit --baseline=baseline --max-drop=1 deps.db static.db &&
        python3 -c 'import sys, xml.etree.ElementTree as tree
suite = tree.parse("out").getroot()[0]
cases = suite.findall("testcase")
assert int(suite.get("tests")) == len(cases) == 7
assert int(suite.get("failures")) == len(suite.findall("*/failure")) == 7
print(cases[0][0].get("message"))' >message &&
        echo "cov_u at lifetime 512: 50.00% is more than 1 points below the$(
            ) baseline's 75.00%" | diff - message
}
ok "JUnit has each figure that fell below the baseline, as XML" drops_in_xml
path_in_xml() {
    change deps.db "UPDATE object SET path = '/a&\"<b>' || char(1) ||
        CAST(x'ff' AS TEXT) || 'é' WHERE object_id = 1"
    ends 1 --format=junit --min-cov-u=100 deps.db static.db &&
        python3 -c 'import xml.etree.ElementTree as tree
suite = tree.parse("out").getroot()[0]
print(suite.get("name"))
print(suite.find("testcase").get("classname"))' >got &&
        printf 'covcheck /a&"<b>\357\277\275\357\277\275\303\251\n%.0s' 1 2 |
        diff - got
}
ok "JUnit escapes any path" path_in_xml

# --- Gates ---

new_pair
ok "a gate may bound precision at a lifetime" says 1 \
    "covcheck: precision at lifetime 256: 50.00% is below 50.1%" \
    --min-precision=256:50.1 --min-precision=256:50 --min-precision=512:75 \
    deps.db static.db
change deps.db "DELETE FROM dep; DELETE FROM dep_lifetime"
ok "--allow-empty lets a gate without data pass" says 0 "" --allow-empty \
    --min-cov-u=90 --min-cov-w=512:1 deps.db static.db
ok "with --allow-empty the text says that a gate passed without data" \
    shows '^passed  cov_u at lifetime 512: no data' --allow-empty --min-cov-u=512:90
change deps.db "DELETE FROM dep WHERE dep_id <> 4;
    DELETE FROM dep_lifetime WHERE dep_id <> 4"
ok "--allow-empty does not pass a figure that is too low" says 1 \
    "covcheck: cov_u at lifetime inf: 0.00% is below 1%" --allow-empty \
    --min-cov-u=inf:1 --min-cov-u=512:1 deps.db static.db

# --- Colour ---

# on_terminal COMMAND...: what it prints to a terminal.
on_terminal() {
    TERM=xterm run script -qec "$*" /dev/null </dev/null >out 2>err
    cat out
}
escapes() { grep -c "$(printf '\033')" out; }
new_pair
colours() { on_terminal "covcheck --min-cov-u=1 deps.db static.db" &&
    [ "$(escapes)" -ge 2 ]; }
no_colours() { on_terminal "$1 covcheck --min-cov-u=1 deps.db static.db"
    grep -q lifetime out && [ "$(escapes)" -eq 0 ]; }
if has_terminals; then
    ok "the report on a terminal has colours" colours
    ok "NO_COLOR turns colours off" no_colours NO_COLOR=1
    ok "an empty NO_COLOR leaves colours on" colours NO_COLOR=
    ok "the report on a dumb terminal has no colours" no_colours TERM=dumb
else
    skip "the report on a terminal has colours" "there is no script(1), or no pty for it"
fi
no_escapes() { ends 1 --min-cov-u=99 deps.db static.db && [ "$(escapes)" -eq 0 ]; }
ok "the report in a file has no colours" no_escapes

# --- --help and the man page ---

# man_page: the text of the page, without the backspaces that print it bold.
man_page() {
    mandoc -T ascii "$root/doc/covcheck.1" | sed "s/.$(printf '\b')//g"
}
defaults() {
    run covcheck --help | awk '/^ *--/ {
            sub(/[=[].*/, "", $1); name = $1
            if (match($0, /\[[a-z0-9.,]*\]$/))
                print name ": " substr($0, RSTART + 1, RLENGTH - 2) }' |
        sort >help.defaults
    man_page | awk '
        /^     --[a-z]/ { name = $1; sub(/[=[].*/, "", name); text = "" }
        /^[A-Z]/ { name = "" }
        name != "" { text = text " " $0; gsub(/  */, " ", text)
            if (match(text, /[Tt]he default is [a-z0-9]*(\.[0-9]+)?\./)) {
                print name ": " substr(text, RSTART + 15, RLENGTH - 16)
                name = "" } }' | sort >man.defaults
    # The default of --lifetime is several words in the man page.
    grep -v '^--lifetime' help.defaults | diff - man.defaults &&
        grep -q '^--lifetime: 512,1024,inf$' help.defaults
}
takes() {
    run covcheck --help | sed -n 's/^ *\(--[a-z-]*[^ ]*\).*/\1/p' |
        grep -v -e --help -e --version | sort >help.takes
    man_page | sed -n 's/^     \(--[a-z-]*[^ ]*\)\( .*\)*$/\1/p' |
        grep -v -e --help -e --version | sort >man.takes
    [ "$(wc -l <help.takes)" -ge 16 ] && diff help.takes man.takes
}
if command -v mandoc >/dev/null; then
    ok "--help and the man page have the same defaults" defaults
    ok "--help and the manual agree on what each option takes" takes
else
    skip "--help and the man page agree" "there is no mandoc"
fi

end_of_cases
