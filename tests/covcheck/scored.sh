#!/bin/sh
# covcheck: how much of all that occurred is scored, and what the report says of
# the rest.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

# first LINE OPTION...: is this the first line of the report?
first() {
    line=$1
    shift
    ends 0 "$@" deps.db static.db && [ "$(head -n 1 out)" = "$line" ]
}

# --- The first line ---

new_pair
headline='Of 5 dependencies through memory, 4 lie in one block; 3 of them were predicted'
ok "the first line says how many dependencies were predicted" first "$headline"
ok "the first line of Markdown says how many dependencies were predicted" \
    first "$headline" --format=markdown
ok "the headline of JSON says how many dependencies were predicted" \
    json "$headline" '$.headline'
ok "JSON has the shares of what is scored" json \
    '{"lifetime":512,"share":87.239758226998,"occurrences":1489,'\
'"scored":1299,"dropped":99,"between_blocks":10,"outside":81,"within_scope":93.8885157824043}' '$.scored[0]'
in_page() {
    ends 0 --html=page.html deps.db static.db &&
        grep -qF "<p id=scored>$headline</p>" page.html
}
ok "the page has the headline of the report" in_page
# part SHARE NAME...: has this part of all occurrences that share, and no other one?
parts() {
    ends 0 deps.db static.db &&
        sed -n '/^share /,/^$/s/^ *\([0-9.]*%  [a-z]*\):.*/\1/p' out >got &&
        printf '%s\n' "$@" | diff - got
}
ok "the report says what becomes of all occurrences" parts '87.2%  scored' \
    '6.6%  dropped' '0.7%  spanning' '5.4%  outside'
told() {
    shows "dropped: .*: --min-share=0$" &&
        grep -q 'spanning: .*: staticdeps --scope=function$' out
}
ok "the report says what would score more" told
change deps.db "DELETE FROM dep_lifetime WHERE dep_id NOT IN (1, 8)"
ok "the report leaves out kinds of occurrences that have no share" \
    parts '98.4%  scored' '1.6%  spanning'
sqlite3 deps.db "DELETE FROM dep_lifetime WHERE dep_id = 8"
ok "the headline of one dependency is in the singular" first \
    'Of 1 dependency through memory, 1 lies in one block; it was predicted'
sqlite3 static.db "DELETE FROM dep"
ok "the headline says that the only dependency was missed" first \
    'Of 1 dependency through memory, 1 lies in one block; it was not predicted'
sqlite3 deps.db "DELETE FROM dep_lifetime"
ok "the headline says if nothing occurred within the bound" \
    first 'No dependency through memory occurred'
no_empty_figures() {
    ends 0 deps.db static.db && ! grep -E '^(share|precision|delta-k) ' out
}
ok "figures without data are left out" no_empty_figures

# --- A filtered static.db ---

# lines FIRST LAST TEXT OPTION...: are these the lines of the report?
lines() {
    range=$1,$2p
    text=$3
    shift 3
    ends 0 "$@" deps.db static.db &&
        [ "$(sed -n "$range" out)" = "$text" ]
}
filtered
counted='(in kept blocks, up to 512 instructions from store to load: lifetime 512)'
ok "the text report says what a filter leaves out" lines 1 5 "$headline
$counted
$left_out

/opt/bench"
ok "Markdown says what a filter leaves out" lines 1 7 "$headline

$counted

$left_out

Program: \`/opt/bench\`" --format=markdown
left_out_on_page() {
    ends 0 --html=page.html deps.db static.db &&
        grep -A2 '<p id=scored>' page.html |
        grep -qxF "<p class=left-out>$left_out</p>"
}
ok "the page says what a filter leaves out" left_out_on_page
# JUnit's readers show test cases, so what is left out is a skipped one.
left_out_in_junit() {
    ends 0 --format=junit --min-cov-u=1 deps.db static.db &&
        python3 -c 'import sys, xml.etree.ElementTree as tree
suite = tree.parse("out").getroot()[0]
cases = suite.findall("testcase")
assert int(suite.get("tests")) == len(cases) == 4
assert int(suite.get("skipped")) == len(suite.findall("*/skipped")) == 1
print(suite.find("properties")[1].get("name"),
    suite.find("properties")[1].get("value"))
print(cases[0].get("name"), cases[0].find("skipped").get("message"))' >got &&
        printf '%s\n' "left out $left_out" "left out of bench $left_out" |
        diff - got
}
ok "JUnit has what a filter leaves out as a property and as a skipped test" left_out_in_junit
markup() {
    sqlite3 static.db "UPDATE analysis SET value = '--function=<b>|\`&\"'
        WHERE key = 'filter:1'"
    ends 0 --html=page.html --format=junit deps.db static.db &&
        grep -qF 'with --function=&lt;b&gt;|`&amp;&quot; --range' page.html &&
        python3 -c 'import xml.etree.ElementTree as tree
print(tree.parse("out").find(".//skipped").get("message"))' |
        grep -F 'with --function=<b>|`&" --range' &&
        ends 0 --format=markdown deps.db static.db &&
        grep -qF 'with --function=\<b>\|\`&" --range=0x0-0x102c:' out
}
ok "what a filter leaves out is escaped in each format" markup
new_pair
ok "without a filter the text report has no line about one" lines 3 4 "
/opt/bench"

# --- Outside ---

change deps.db "UPDATE object SET path = '/lib/it''s here.so' WHERE object_id = 2;
    UPDATE object SET path = '[anonymous]' WHERE object_id = 4"
ok "the command to analyse what is outside is quoted, and names only files" \
    json "staticdeps /opt/bench '/lib/it'\\''s here.so'" '$.outside_command'
ok "code without a file is in the list of what is outside" json \
    '[anonymous]' '$.outside[2].path'
sum_of_files() {
    new_many 2
    report_in_json && is 1 ask "SELECT
        (SELECT sum(l.value ->> 'occurrences') FROM json_each(r, '\$.outside') AS o,
            json_each(o.value, '\$.lifetimes') AS l) =
        (SELECT sum(value ->> 'outside') FROM json_each(r, '\$.scopes')) FROM r"
}
ok "the occurrences of files outside add up to the total outside" sum_of_files

# --- Between threads ---

change deps.db "UPDATE dep SET cross_thread = 1 WHERE dep_id IN (2, 8)"
ok "the text report counts dependencies between threads" shows \
    '^between threads  *2  dependencies at lifetime inf, with 1015 ' --lifetime=inf
ok "JSON has the dependencies between threads at each bound" \
    json '{"dependencies":2,"occurrences":610}' \
    '$.scopes[0].cross_thread' # the folded 1 and 2 within 512, and 8
sqlite3 deps.db "UPDATE dep SET cross_thread = dep_id = 6"
ok "the list of misses marks a dependency between threads" \
    shows '^  500 occurrences .* in /opt/bench, between threads$' --missed

# --- Many kernels ---

"${CC:-gcc}" -O1 -o many-kernels "$srcdir/programs/many-kernels.c"
record many-kernels
json_cases <<'END'
the dependencies of all kernels are scored|41|$.lifetimes[0].found
delta-k agrees for all kernels, since their blocks repeat|{"agreed":41,"judged":41}|$.delta_k
--min-weight=10 keeps only the heaviest of many kernels|1|$.lifetimes[0].found|--min-weight=10
END
file_is_scored() {
    report_in_json && run sh -c "$(ask "SELECT r ->> '\$.outside_command' FROM r")" &&
        report_in_json && is 1 ask "SELECT max(value ->> '\$.lifetimes[0].occurrences')
            < 100 FROM r, json_each(r, '\$.outside')"
}
ok "the command to analyse what is outside brings it in" file_is_scored

# --- Rebuilt objects and incomplete runs ---

# The library was rebuilt between the two runs, and run 2 is incomplete.
incomplete="deps.db: run 2 is incomplete"
rebuilt="deps.db: /lib/libc.so was rebuilt between the two runs: its build-id$(
    ) is c1 here, and c0 in static.db"
uncovered() {
    change static.db "INSERT INTO object
            VALUES (10, '/lib/libc.so', 'c0', 'x86-64');
        INSERT INTO block(block_id, object_id, start, \"end\", instructions,
            status) VALUES (9, 10, 4096, 4112, 4, 'ok')" &&
        sqlite3 deps.db "UPDATE object SET build_id = 'c1'
                WHERE path = '/lib/libc.so';
            UPDATE run SET complete = 0 WHERE run_id = 2"
}
uncovered
# told OPTION: does the report itself say both?

told() {
    ends 0 "$@" deps.db static.db >/dev/null &&
        { cat out; if [ -f page.html ]; then cat page.html; fi; } >all &&
        tr -d '`' <all | grep -F "$incomplete" && tr -d '`' <all |
        grep -F "$rebuilt"
}
rm -f page.html
for format in text markdown junit; do
    ok "the report says what was rebuilt and what is incomplete, in $format" \
        told --format=$format
done
ok "the page says what was rebuilt and what is incomplete" told --html=page.html
rm page.html
both_warned() {
    says 0 "covcheck: $incomplete
covcheck: $rebuilt" deps.db static.db &&
        says 2 "covcheck: $incomplete" --strict deps.db static.db
}
ok "covcheck warns of both a rebuild and an incomplete run" both_warned
ok "JSON has both builds of a rebuilt object" json "$(tr -d '\n' <<'END'
[{"path":"/lib/libc.so","database":"deps.db","build_id":"c1",
"static_database":"static.db","static_build_id":"c0"}]
END
    )" '$.rebuilt'
skipped() {
    ends 0 --format=junit deps.db static.db &&
        python3 -c 'import xml.etree.ElementTree as tree
suite = tree.parse("out").getroot()[0]
assert suite.get("tests") == suite.get("skipped") == "2"
for case in suite.findall("testcase"):
    print(case.get("name") + ": " + case.find("skipped").get("message"))' >got &&
        printf '%s\n' "left out of run 2 of deps.db: $incomplete" \
            "left out of /lib/libc.so: $rebuilt" | diff - got
}
ok "JUnit has a rebuild and an incomplete run as skipped tests" skipped

end_of_cases
