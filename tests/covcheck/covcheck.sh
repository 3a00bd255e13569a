#!/bin/sh
# covcheck: what it prints, and how it ends.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

inf=9223372036854775807

# --- Reports ---

new_pair
cat >expected <<'EOF'
Of 5 dependencies through memory, 4 lie in one block; 3 of them were predicted
(in kept blocks, up to 512 instructions from store to load: lifetime 512)

/opt/bench

share  of all 1489 occurrences at lifetime 512
87.2%  scored: within one block, in kept blocks
 6.6%  dropped: in blocks that ran little; to keep them: --min-share=0
 0.7%  spanning: beyond one block; to score it: staticdeps --scope=function
 5.4%  outside: in code not analysed; see below

                                   ---- dependencies -----  - occurrences --
lifetime  cov_u  cov_w  precision  found  missed  spanning    found   missed
     512  75.0%  61.5%      75.0%      3       1         1      799      500
    1024  60.0%  68.6%      75.0%      3       2         1     1199      550
     inf  60.0%  79.2%      75.0%      3       2         2     2099      550
cov_u: the share of pairs that were predicted; cov_w: that of their occurrences

lifetime  one block  one function  two functions  unknown  outside  occurrences
     512      93.9%          0.7%           0.0%     0.0%     5.4%         1489
    1024      95.3%          0.5%           0.0%     0.0%     4.2%         1939
     inf      96.4%          0.5%           0.0%     0.0%     3.1%         2851

outside, at lifetime 512: occurrences in code that was not analysed
          77  /lib/libc.so
           3  /opt/bench, in no block
           1  /tmp/without-identity
to score those listed: staticdeps /opt/bench /lib/libc.so /tmp/without-identity

precision            75.0%  3 of 4 predictions occurred at any distance
delta-k agreement    50.0%  1 of 2 found have the right number of iterations
blocks kept (hot)        3  of 5 executed at least 0.1% of all instructions
blocks unanalysed        1  of those kept
EOF
the_table() {
    ends 0 deps.db static.db && [ ! -s err ] && diff expected out
}
ok "the text report has the figures worked out by hand" the_table
same_without_writing() {
    sha256sum deps.db static.db >before && chmod a-w deps.db static.db . &&
        ends 0 deps.db static.db && chmod u+w . && sha256sum -c before &&
        [ ! -e deps.db-journal ] && [ ! -e deps.db-wal ]
}
ok "covcheck does not change its databases" same_without_writing
narrow() { ! grep -E '.{81}' expected; }
ok "the text report fits 80 columns" narrow

is_json() { report_in_json && [ "$(ask "SELECT json_valid(r) FROM r")" = 1 ]; }
ok "--format=json prints JSON" is_json
json_cases <<'END'
JSON has all figures of a bound|{"lifetime":512,"cov_u":75,"cov_w":61.5088529638183,"found":3,"missed":1,"found_occurrences":799,"missed_occurrences":500,"spanning":1,"spanning_occurrences":10,"precision":75}|$.lifetimes[0]
JSON has the bound inf as a text|inf|$.lifetimes[2].lifetime
JSON has the occurrences of spanning dependencies|22|$.lifetimes[2].spanning_occurrences
JSON has precision as a percentage|75|$.precision
JSON has the agreement of delta-k as a percentage|50|$.delta_k_agreement
JSON has the numbers of kept and dropped blocks|{"kept":3,"dropped":2,"unanalysed":1}|$.blocks
JSON has the first path of an object|/opt/bench|$.objects[0].path
JSON has the figures of each object|60|$.objects[0].lifetimes[2].cov_u
JSON has the number of runs|2|$.runs
END

change deps.db "UPDATE object SET path =
    CAST(x'2f225c0a1fc3a9ff80eda080f09f9880e080afc0afe282' AS TEXT)
    WHERE object_id = 1"
path_in_json() {
    report_in_json && equal "$(ask "SELECT hex(r ->> '\$.objects[0].path') FROM r")" \
        "2F225C0A1FC3A9EFBFBDEFBFBDEFBFBDEFBFBDEFBFBDF09F9880$(
            )EFBFBDEFBFBDEFBFBDEFBFBDEFBFBDEFBFBDEFBFBD"
}
ok "JSON escapes any path, valid or not" path_in_json
ok "a report with an invalid path is JSON" is_json
no_control() {
    ends 0 deps.db static.db && ! head -n 1 out | LC_ALL=C grep -q '[[:cntrl:]]'
}
ok "a path cannot control the terminal" no_control

# --- Options ---

new_pair
order_given() {
    ends 0 --lifetime=512,inf,512,256 deps.db static.db &&
        [ "$(sed '1,/cov_u/d; /one block/,$d' out | grep -o '^ *[0-9inf]* .*%' |
            awk '{ printf "%s ", $1 }')" = \
            "512 inf 256 " ]
}
ok "lifetime bounds are reported in the order given, each once" order_given
json_cases <<'END'
the last --lifetime counts|256|$.lifetimes[0].lifetime|--lifetime=inf --lifetime=256
a dependency beyond the bound 256 is not found there|2|$.lifetimes[0].found|--lifetime=256
with --min-weight=0 all blocks that ran are kept|4|$.blocks.kept|--min-weight=0
a block that the default weight drops is found at 9.9%|4|$.lifetimes[0].found|--min-weight=9.9
a block of 0.08% is kept with --min-share=0.079|4|$.lifetimes[0].found|--min-share=0.079
a block of 0.08% is dropped with --min-share=0.08|3|$.blocks.kept|--min-share=0.08
a block must pass both --min-share and --min-weight|1|$.blocks.kept|--min-share=0.3 --min-weight=60
with --min-weight=100% only the heaviest block is kept|1|$.blocks.kept|--min-weight=100%
END
ok "the report names both filters of blocks" shows \
    "^blocks kept (hot)  *1  of 5 executed at least 0.3% of all instructions and$(
    ) ran at least 60% as often as the heaviest$" --min-share=0.3 --min-weight=60%
ok "with --min-share=0 all blocks that ran are kept" \
    shows '^blocks kept (hot)  *4  of 5 were executed$' --min-share=0
ok "a bound that was not recorded is refused" says 2 \
    "covcheck: deps.db: lifetime 1000 was not recorded: only 256, 512, 1024, inf" \
    --lifetime=512,1000 deps.db static.db
ok "a bound that only one run recorded is refused" \
    refuses covcheck deps.db covcheck --lifetime=64 deps.db static.db
ok "a gate's bound that was not recorded is refused" \
    refuses covcheck deps.db covcheck --min-cov-u=64:1 deps.db static.db

change deps.db "DELETE FROM lifetime WHERE lifetime >= 512"
ok "bounds that were recorded replace the default ones" \
    json '{"lifetime":256,"cov_u":66.6666666666667,"cov_w":58.3333333333333,'\
'"found":2,"missed":1,"found_occurrences":700,"missed_occurrences":500,'\
'"spanning":1,"spanning_occurrences":10,"precision":50}' '$.lifetimes[0]'
change deps.db "DELETE FROM lifetime WHERE lifetime = 1024 AND run_id = 1"
ok "of the default bounds, those that all runs recorded are reported" \
    json inf '$.lifetimes[1].lifetime'

new_pair
for option in --lifetime= --lifetime=0 '--lifetime=512,' --lifetime=abc \
    --lifetime=-1 --min-share=101 --min-share= --min-weight=101 --min-weight=x --min-cov-u=x \
    --min-cov-u=0:5 --min-cov-u=512: --min-cov-w=:5 --min-cov-w=512:101 \
    --min-precision=512: --min-precision=0:5 --min-precision= \
    --format=yaml --unknown -x --min-weight --by=file --missed=0 --missed=x \
    --false=0 --false=1.5 --run=x --run=-1 --run=9223372036854775808 \
    --max-drop=101; do
    ok "covcheck refuses $option" refuses covcheck "$option" \
        covcheck "$option" deps.db static.db
done
# --- A filtered static.db ---

filtered
ok "covcheck warns of code that a filter left out and that ran" \
    says 0 "covcheck: $left_out" deps.db static.db
ok "--strict refuses code that a filter left out and that ran" \
    says 2 "covcheck: $left_out" --strict deps.db static.db
json_cases <<'END'
a dependency that a filter left out is not counted as missed|2|$.lifetimes[2].missed
JSON has the filter of the analysis|--function=f --range=0x0-0x102c|$.objects[0].filter
JSON has what the filter leaves out|{"dependencies":2,"occurrences":102}|$.objects[0].left_out
END
silent_filter() {
    change static.db "INSERT INTO analysis VALUES ('filter:1', '--executed=x')" &&
        sqlite3 deps.db "DELETE FROM dep_lifetime WHERE dep_id = 11;
            DELETE FROM dep WHERE dep_id = 11" &&
        says 0 "" --strict deps.db static.db
}
ok "covcheck does not warn of a filter that left out nothing that ran" silent_filter
new_pair

for option in --max-drop=1 --allow-empty=yes --strict=1 --baseline; do
    ok "covcheck refuses $option alone" refuses covcheck "${option%=*}" \
        covcheck deps.db static.db "$option"
done
for operands in "" "deps.db" "deps.db static.db static.db"; do
    # shellcheck disable=SC2086 # they are several
    ok "covcheck refuses the operands \"$operands\"" \
        refuses covcheck usage covcheck $operands
done

help_is_manual() {
    run covcheck --help | grep -o -e '--[a-z-]*' | sort -u >help.options
    sed -n 's/^\.It Fl -\([a-z-]*\).*/--\1/p' "$root/doc/covcheck.1" |
        sort -u >manual.options
    [ -s help.options ] && diff help.options manual.options
}
ok "--help and the manual know the same options" help_is_manual
ok "covcheck --help succeeds" ends 0 --help
ok "covcheck --version succeeds" ends 0 --version

# --- Gates ---

ok "gates that are met succeed" ends 0 --min-cov-u=60 --min-cov-u=512:75 \
    --min-cov-w=1024:68.5 --min-precision=75% deps.db static.db
ok "a gate that is not met fails, and names the bound and the figure" says 1 \
    "covcheck: cov_w at lifetime 1024: 68.55% is below 68.6%" \
    --min-cov-w=1024:68.6 deps.db static.db
ok "a gate without a bound holds at each" says 1 \
    "covcheck: cov_u at lifetime 1024: 60.00% is below 70%
covcheck: cov_u at lifetime inf: 60.00% is below 70%" \
    --min-cov-u=70 deps.db static.db
ok "covcheck names each gate that is not met" says 1 \
    "covcheck: precision: 75.00% is below 75.1%
covcheck: cov_u at lifetime 512: 75.00% is below 80%
covcheck: cov_u at lifetime 512: 75.00% is below 90%" \
    --min-precision=75.1 --min-cov-u=512:80 --min-cov-u=512:90 deps.db static.db
report_and_fail() {
    { cat expected && echo &&
        echo "FAILED  precision: 75.00% is below 99%"; } >failed &&
        ends 1 --min-precision=99 deps.db static.db && diff failed out
}
ok "covcheck prints the report although a gate fails" report_and_fail
json_cases <<'END'
a bound that only a gate names is reported too|256|$.lifetimes[2].lifetime|--min-cov-u=256:1
the bound of a gate is reported before inf|inf|$.lifetimes[3].lifetime|--min-cov-u=256:1
JSON has the gates|[{"figure":"cov_w","lifetime":512,"value":61.5088529638183,"bar":0.1,"baseline":null,"passed":true},{"figure":"precision","lifetime":null,"value":75,"bar":75,"baseline":null,"passed":true}]|$.gates|--min-cov-w=512:0.1 --min-precision=75
END

change deps.db "DELETE FROM dep; DELETE FROM dep_lifetime"
no_data() {
    ends 0 deps.db static.db &&
        [ "$(grep -c '^ *[0-9inf]* *no data *no data *0.0% *0 ' out)" -eq 3 ]
}
ok "the text report says \"no data\" without dependencies" no_data
ok "JSON has null where there is no data" json \
    '{"lifetime":512,"cov_u":null,"cov_w":null,"found":0,"missed":0,'\
'"found_occurrences":0,"missed_occurrences":0,"spanning":0,'\
'"spanning_occurrences":0,"precision":0}' '$.lifetimes[0]'
ok "a figure without data fails even a gate of 0" says 1 \
    "covcheck: cov_u at lifetime 512: no data to compare with 0%" \
    --min-cov-u=512:0 deps.db static.db

# --- The same figures from SQL ---

agrees_with_sql() {
    report_in_json || return
    from_sql coverage >want
    ask "SELECT value ->> 'lifetime', printf('%.9f', value ->> 'cov_u'),
        printf('%.9f', value ->> 'cov_w'), value ->> 'spanning',
        value ->> 'spanning_occurrences', r ->> '\$.blocks.kept',
        printf('%.9f', r ->> 'precision'), printf('%.9f', value ->> 'precision'),
        printf('%.9f', r ->> 'delta_k_agreement')
        FROM r, json_each(r, '\$.lifetimes')" >got
    [ "$(wc -l <want)" -eq 3 ] && diff want got
}
for seed in 1 2 3; do
    new_many $seed
    ok "an SQL query computes the figures of covcheck (seed $seed)" agrees_with_sql
done

# --- Refusals ---

new_pair
echo "This is a text file, and a long one for what it says." >text
mkdir directory
: >empty
sqlite3 foreign.db 'CREATE TABLE t(a)'
ok "covcheck refuses a file beside a directory" refuses covcheck static.db \
    covcheck directory static.db
for file in missing text empty foreign.db static.db; do
    ok "covcheck refuses $file as a deps.db" refuses covcheck "$file" \
        covcheck "$file" static.db
done
for file in missing text empty foreign.db deps.db; do
    ok "covcheck refuses $file as a static.db" \
        refuses covcheck "$file" covcheck deps.db "$file"
done
swapped() {
    run covcheck deps.db static.db >expected && run covcheck static.db deps.db >out &&
        cmp expected out
}
ok "covcheck takes its databases in either order" swapped
ok "covcheck refuses a staticdeps database after --deps" says 2 \
    "covcheck: static.db: a staticdeps database, not a depsim database" \
    --deps=static.db --static=deps.db
full() {
    run sh -c 'covcheck deps.db static.db >/dev/full' 2>err
    [ $? -eq 2 ] && grep -q '^covcheck: standard output: ' err
}
ok "covcheck ends with status 2 if its report cannot be written" full

refusals refuses_changed <<'END'
a later schema version|deps.db|PRAGMA user_version = 99|version 99
databases without a common object|deps.db|UPDATE object SET build_id = 'other', path = printf('/other%d', object_id)|no object
objects without build-id as common ones|deps.db|DELETE FROM object WHERE build_id = 'b1'|no object
a deps.db without a run|deps.db|DELETE FROM run|no run
runs without a common bound|deps.db|DELETE FROM lifetime WHERE run_id = 2|in common
END
change deps.db "UPDATE run SET complete = 0 WHERE run_id = 2"
ok "covcheck warns of an incomplete run, and scores it" says 0 \
    "covcheck: deps.db: run 2 is incomplete" deps.db static.db
ok "JSON names incomplete runs" json \
    '[{"database":"deps.db","run":2}]' '$.incomplete_runs'

while IFS='|' read -r database sql what <&3; do
    ok "covcheck refuses a damaged $database: $what" \
        refuses_changed "$database" "$sql" "damaged.*$what"
done 3<<EOF
deps.db|DROP TABLE segment|no such table
static.db|ALTER TABLE dep DROP COLUMN src_index|no such column
deps.db|DROP TABLE segment; CREATE VIEW segment AS WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n FROM i) SELECT 1 AS run_id, 1 AS object_id, n AS start, n AS "end", 1 AS executions FROM i|a view in
deps.db|ALTER TABLE dep RENAME TO d; CREATE VIEW dep AS SELECT * FROM d|a view in
deps.db|UPDATE dep SET src = 'x' WHERE dep_id = 1|wrong type
deps.db|UPDATE dep SET occurrences = -1 WHERE dep_id = 1|negative
deps.db|UPDATE dep SET src_object = 99 WHERE dep_id = 1|dependency without an* object
deps.db|UPDATE segment SET object_id = 99|segment without an* object
deps.db|UPDATE segment SET "end" = start - 1|segment ends before
deps.db|UPDATE segment SET executions = $inf|64 bits
deps.db|UPDATE dep_lifetime SET occurrences = $inf|64 bits
deps.db|UPDATE dep_lifetime SET occurrences = 0.5|wrong type
deps.db|DELETE FROM dep WHERE dep_id = 1|lifetime without an* dependency
deps.db|DELETE FROM dep WHERE dep_id = 12|lifetime without an* dependency
static.db|UPDATE block SET "end" = start - 1|block ends before
static.db|UPDATE block SET object_id = 99|block without an* object
static.db|UPDATE block SET instructions = NULL|wrong type
static.db|DELETE FROM block WHERE block_id = 4|dependency without an* block
static.db|DELETE FROM block WHERE block_id = 8|dependency without an* block
static.db|UPDATE dep SET delta_k = -1|negative
EOF

# cut_off DATABASE: it is refused when cut at any page, or within a page.
cut_off() {
    new_many 1
    cp "$1" whole
    size=$(wc -c <whole)
    at=100
    while [ $at -lt "$size" ]; do
        head -c $at whole >"$1"
        refuses covcheck "$1" covcheck deps.db static.db ||
            { echo "cut at $at"; return 1; }
        at=$((at + 2048))
    done
}
ok "covcheck refuses a deps.db that is cut at any place" cut_off deps.db
ok "covcheck refuses a static.db that is cut at any place" cut_off static.db

# overwritten DATABASE FIRST: wrong bytes may change the figures, but covcheck ends
# with a report or with one line.
overwritten() {
    new_many 1
    cp "$1" whole
    size=$(wc -c <whole)
    at=$2
    n_refused=0
    while [ "$at" -lt "$size" ]; do
        cp whole "$1"
        printf '\377\377\377\377\377\377\377' |
            dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
        status=0
        run covcheck deps.db static.db >out 2>err || status=$?
        case $status in
        0) ;;
        2) n_refused=$((n_refused + 1))
            [ "$(wc -l <err)" -eq 1 ] || return 1 ;;
        *) echo "byte $at: status $status"; cat err; return 1 ;;
        esac
        at=$((at + 1371))
    done
    [ $n_refused -gt 0 ]
}
ok "covcheck does not crash on a deps.db with wrong bytes" overwritten deps.db 3
ok "covcheck does not crash on a static.db with wrong bytes" overwritten static.db 3

end_of_cases
