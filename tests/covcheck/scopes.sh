#!/bin/sh
# covcheck --scope: which pairs are scored, of static databases of blocks and of
# walks.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

# new_walks [SQL]: makes a deps.db with a dependency between two functions, and a
# static.db of walks, to which SQL is applied.
new_walks() {
    rm -f deps.db static.db
    sqlite3 deps.db ".read $data/deps-schema.sql" ".read $data/deps.sql" \
        "INSERT INTO dep(dep_id, run_id, src_object, src, dst_object, dst,
            occurrences, min_distance, max_distance)
            VALUES (13, 1, 1, 4104, 1, 4144, 20, 7, 9);
        INSERT INTO dep_lifetime(dep_id, lifetime, occurrences)
            VALUES (13, 256, 20)"
    sqlite3 static.db ".read $data/walks-schema.sql" ".read $data/walks.sql" \
        "${1:-}"
}

# by_scope: each scope of the report and what is scored in it, at the bound inf.
by_scope() {
    ask "SELECT s.value ->> 'scope', l.value ->> 'found', l.value ->> 'missed',
            l.value ->> 'found_occurrences', l.value ->> 'missed_occurrences',
            s.value ->> '\$.predictions.judged', s.value ->> '\$.predictions.occurred'
        FROM r, json_each(r, '\$.by_scope') AS s, json_each(s.value, '\$.lifetimes') AS l
        WHERE l.value ->> 'lifetime' = 'inf'"
}

# --- By hand ---

new_walks
cat >expected <<'END'
block|3|4|2099|726|4|3
function|4|4|2114|726|6|4
object|5|4|2134|726|7|5
program|6|4|2141|726|8|6
END
# up_to SCOPE N OPTION...: has the report this scope, and figures of the N narrowest?
up_to() {
    scope=$1
    head -n "$2" expected >want
    shift 2
    report_in_json --min-share=0 "$@" &&
        equal "$(ask "SELECT r ->> 'scope' FROM r")" "$scope" && by_scope | diff want -
}
ok "the default scope is that of static.db" up_to program 4
ok "--scope=object leaves out what lies in two objects" up_to object 3 \
    --scope=object
ok "--scope=function leaves out what lies in two functions" up_to function 2 \
    --scope=function
ok "--scope=block leaves out what lies in two blocks" up_to block 1 --scope=block
total() {
    report_in_json --min-share=0 --scope=function &&
        is '4|4|3|30' ask "SELECT value ->> 'found', value ->> 'missed',
                value ->> 'spanning', value ->> 'spanning_occurrences'
            FROM r, json_each(r, '\$.lifetimes') WHERE value ->> 'lifetime' = 'inf'"
}
ok "dependencies that reach beyond the scope are spanning" total
json_cases <<'END'
delta-k is judged only where it is fixed|{"agreed":1,"judged":2}|$.delta_k
no delta-k is judged for a pair in two blocks|{"agreed":1,"judged":2}|$.delta_k|--scope=block
END
# with_vectors VALUES JUDGED: with these vectors and no fixed delta-k, is this what
# is judged?  The pair (2, 4112, 2, 4120) has the smallest distance 2 in a block of
# three instructions; (1, 4100, 1, 4096) has 300 in a block of four.
with_vectors() {
    new_walks "UPDATE dep SET delta_k = NULL;
        INSERT INTO vector VALUES $1"
    json "$2" '$.delta_k' --min-share=0
}
none='{"agreed":0,"judged":0}'
ok "the rounds of an innermost loop count as its delta-k" with_vectors \
    '(2, 4112, 2, 4120, 1, 2, 0), (1, 4100, 1, 4096, 1, 4, 0),
     (1, 4100, 1, 4096, 2, 1, 1)' '{"agreed":1,"judged":2}'
ok "delta-k is not judged if the distance may span two runs of the loop" \
    with_vectors '(2, 4112, 2, 4120, 1, 2, 1)' "$none"
ok "rounds of a loop with another header are no delta-k" \
    with_vectors '(2, 4112, 2, 4120, 1, 1, 0)' "$none"
ok "rounds are no delta-k if an outer loop carries the pair" with_vectors \
    '(1, 4100, 1, 4096, 1, 4, 1), (1, 4100, 1, 4096, 2, 1, 1)' "$none"
new_walks "UPDATE analysis SET value = 'function' WHERE key = 'scope'"
ok "the scope of a static.db of functions is function" up_to function 2
# too_narrow SCOPE WIDER: is the static.db refused for a wider scope than its own?
too_narrow() {
    wider=$2
    says 2 "covcheck: static.db: made with --scope=$1, which is too narrow for$(
        ) --scope=$wider" --scope="$wider" deps.db static.db
}
ok "a static.db of functions is refused for --scope=object" too_narrow function object
blocks_alone() { json block '$.scope' && too_narrow "$1" function; }
new_pair
ok "a static.db of blocks is refused for --scope=function" blocks_alone block
sqlite3 static.db "INSERT INTO analysis VALUES ('scope', 'loop')"
ok "a static.db of loops is refused for --scope=function" blocks_alone loop
mixed() {
    new_walks "DELETE FROM object WHERE object_id = 1;
        DELETE FROM function WHERE object_id = 1;
        DELETE FROM block WHERE object_id = 1; DELETE FROM dep;
        DELETE FROM coming WHERE block_id NOT IN (SELECT block_id FROM block)"
    mv static.db walks.db
    new_pair
    ends 0 --format=json --deps=deps.db --static=static.db --static=walks.db \
        >/dev/null &&
        equal "$(ask "SELECT r ->> 'scope' FROM r")" block &&
        says 2 "covcheck: static.db: made with --scope=block, which is$(
            ) too narrow for --scope=program" --scope=program --deps=deps.db \
            --static=static.db --static=walks.db
}
ok "the report has the narrowest scope of several static.db" mixed
ok "covcheck refuses --scope=loop" refuses covcheck --scope=loop covcheck \
    --scope=loop deps.db static.db

# --- The scope in each report ---

new_walks
share_within() { # versions of SQLite differ in the number of digits
    report_in_json --scope=object &&
        is 99.735 ask "SELECT printf('%.3f', r ->> '\$.scored[0].within_scope') FROM r"
}
ok "JSON has the share of all occurrences that lies within the scope" share_within
headline='Of 9 dependencies through memory, 8 lie in one file; 5 of them were predicted'
has_headline() {
    ends 0 --min-share=0 --scope=object "$@" deps.db static.db &&
        { cat out; if [ -f page.html ]; then cat page.html; fi; } >all &&
        grep -qF "$headline" all
}
for format in text markdown json junit; do
    ok "the headline names the scope, in $format" has_headline --format=$format
done
ok "the headline of the page names the scope" has_headline --html=page.html
shows_scopes() {
    ends 0 --min-share=0 --lifetime=inf "$@" deps.db static.db &&
        { cat out; if [ -f page.html ]; then cat page.html; fi; } >all &&
        tr -s ' |' '  ' <all | sed 's/<[^>]*>/ /g; s/^/ /' | tr -s ' ' |
            grep -qF " function inf 98.9% 50.0% 74.4% 66.7% 4 4 2"
}
rm -f page.html
for format in text markdown; do
    ok "the report has a row for each scope, in $format" shows_scopes \
        --format=$format
done
ok "the page has a row for each scope" shows_scopes --html=page.html
rm -f page.html
junit_properties() {
    ends 0 --format=junit --min-share=0 --scope=function deps.db static.db \
        >/dev/null && sed -n 's/.*<property name="\(.*inf\)" value="\(.*\)".*/\1 \2/p' \
        out >got
    cat >want <<'END'
cov_u at lifetime inf 50
cov_w at lifetime inf 74.43661
precision at lifetime inf 66.66666
scope block: cov_u at lifetime inf 42.85714
scope block: cov_w at lifetime inf 74.30088
scope block: precision at lifetime inf 75
END
    sed 's/\(\.[0-9]\{5\}\)[0-9]*$/\1/' got | diff want -
}
ok "JUnit has a property for each scope" junit_properties
command_scope() {
    new_walks "DELETE FROM object WHERE object_id = 2;
        DELETE FROM function WHERE object_id = 2;
        DELETE FROM dep WHERE dst_block = 6;
        DELETE FROM block WHERE object_id = 2"
    json "staticdeps --scope=program /opt/bench /lib/libc.so /tmp/without-identity" \
        '$.outside_command' &&
        json "staticdeps --scope=function /opt/bench /lib/libc.so /tmp/without-identity" \
            '$.outside_command' --scope=function &&
        new_pair &&
        json "staticdeps /opt/bench /lib/libc.so /tmp/without-identity" '$.outside_command'
}
ok "the command to analyse what is outside names the scope" command_scope

# --- Lists, groups, reasons ---

new_walks
cat >want <<'END'
  between blocks executed 100 and 1000 times in /opt/bench, predicted by walks
    store    1010  (no code)
                   in f+0x10
    load     1004  (no code)
                   in f+0x4
END
false_ones() {
    ends 0 --min-share=0 --lifetime=inf --false deps.db static.db >/dev/null &&
        sed -n '/between blocks/,/f+0x4/p' out | diff want -
}
ok "a false prediction between two blocks names both" false_ones
json_false() {
    report_in_json --false --min-share=0 &&
        is "function|f|f" ask "SELECT value ->> 'scope', value ->> 'function',
                value ->> 'dst_function' FROM r, json_each(r, '\$.false_predictions')
            WHERE value ->> 'delta_k' IS NULL"
}
ok "a false prediction between two blocks has no delta-k in JSON" json_false
json_cases <<'END'
code that was not analysed is a reason for a miss|1|$.missed_reasons[2]."not-analysed".dependencies|--min-share=0
code that no walk reached is a reason for a miss|1|$.missed_reasons[2]."never-walked".dependencies|--min-share=0
a pair that no walk showed is a reason for a miss|2|$.missed_reasons[2]."not-shown".dependencies|--min-share=0
unrelated pointers are no reason if walks did not show that|0|$.missed_reasons[2]."different-bases".dependencies|--min-share=0
END
# why REASON [SQL]: is that why the pair from 4104 to 4144, from f to g, is missed?
why() {
    new_walks "DELETE FROM dep WHERE src = 4104 AND dst = 4144; ${2:-}"
    report_in_json --min-share=0 --missed=all --lifetime=inf &&
        is "$1" ask "SELECT value ->> 'reason'
            FROM r, json_each(r, '\$.missed_dependencies')
            WHERE value ->> '\$.src.address' = '0x1008'
                AND value ->> '\$.dst.address' = '0x1030'"
}
while IFS='|' read -r what reason sql <&3; do
    ok "$what" why "$reason" "$sql"
done 3<<'END'
a pair that its walk did not show has the reason "not shown"|not-shown
a load that no walk reached has the reason "never walked"|never-walked|UPDATE block SET walks = 0 WHERE block_id = 4
a pair that too few walks showed has the reason "below support"|below-support|INSERT INTO weak VALUES (1, 4, 4104, 4144, 0.05)
ends without a common walk have the reason "never in one walk"|never-in-one-walk|UPDATE coming SET walks = x'0100' WHERE block_id = 4
END
for fate in entered=never-in-one-walk skipped=call-not-entered \
    unresolved=unresolved-call; do
    for block in 1 4; do
        ok "a call of block $block that was ${fate%=*} has its reason" \
            why "${fate#*=}" \
            "UPDATE coming SET walks = x'0100' WHERE block_id = 4;
            INSERT INTO call VALUES ($block, '${fate%=*}')"
    done
done
for made in drawn=different-bases loaded=data-dependent \
    undecided=unknown-address; do
    ok "a store whose address was ${made%=*} has its reason" why "${made#*=}" \
        "INSERT INTO access VALUES (1, 4104, 1, '${made%=*}')"
    ok "a load whose address was ${made%=*} has its reason" why "${made#*=}" \
        "INSERT INTO access VALUES (4, 4144, 0, '${made%=*}')"
    ok "other accesses whose address was ${made%=*} are no reason" \
        why not-shown "INSERT INTO access VALUES (4, 4144, 1, '${made%=*}'),
            (1, 4104, 0, '${made%=*}'), (4, 4140, 0, '${made%=*}')"
done
two_functions() {
    new_walks "DELETE FROM dep WHERE src = 4104 AND dst = 4144"
    ends 0 --format=markdown --min-share=0 --lifetime=inf --missed=all deps.db \
        static.db >/dev/null && grep -q '^| .f. → .g. |' out &&
        json 'g' '$.missed_dependencies[4].dst_function' --min-share=0 \
            --lifetime=inf --missed=all 2>/dev/null &&
        json object '$.missed_dependencies[4].scope' --min-share=0 \
            --lifetime=inf --missed=all 2>/dev/null
}
ok "a missed pair of two functions names both" two_functions
by_function() {
    new_walks
    report_in_json --by=function --min-share=0 --lifetime=inf &&
        ask "SELECT value ->> 'function', value ->> '\$.lifetimes[0].found',
                value ->> '\$.lifetimes[0].missed'
            FROM r, json_each(r, '\$.groups') ORDER BY 1" >got
    printf '%s\n' '0x1000|1|1' 'f|6|2' 'g|1|1' | diff - got
}
ok "--by=function counts a pair in both of its functions" by_function
new_walks "UPDATE function SET name = 'f'"
ok "--by=function counts two functions of one name apart" up_to program 4

# --- Baselines and gates ---

baseline() {
    new_walks
    ends 0 --format=json --scope=function deps.db static.db >/dev/null &&
        mv out base.json &&
        says 0 "" --baseline=base.json --max-drop=0 --scope=function deps.db \
            static.db &&
        says 2 "covcheck: base.json: a report with --scope=function; this one$(
            ) has --scope=program" --baseline=base.json deps.db static.db
}
ok "a baseline of another scope is refused" baseline
gates() {
    new_walks
    ends 0 --min-share=0 --scope=program --min-cov-u=inf:60 deps.db static.db &&
        ends 1 --min-share=0 --scope=block --min-cov-u=inf:60 deps.db static.db
}
ok "gates judge the scope of the report" gates

# fates OPTION...: what became of the 6 dependencies that base.json found.
fates() {
    report_in_json --min-share=0 --baseline=base.json "$@" &&
        ask "SELECT r ->> '\$.transitions.found' FROM r"
}
two_objects() {
    new_walks
    ends 0 --format=json --min-share=0 deps.db static.db >/dev/null &&
        mv out base.json &&
        # A dependency within the program with the addresses of one to the library.
        sqlite3 deps.db "INSERT INTO dep(dep_id, run_id, src_object, src,
                dst_object, dst, occurrences, min_distance, max_distance)
                VALUES (14, 1, 1, 4108, 1, 4108, 7, 7, 9);
            INSERT INTO dep_lifetime(dep_id, lifetime, occurrences)
            VALUES (14, 256, 7)" &&
        fates | grep -x '{"found":6,"missed":0,"unscored":0,"gone":0}' &&
        sqlite3 static.db "DELETE FROM dep WHERE dst_block = 6" &&
        fates | grep -x '{"found":5,"missed":1,"unscored":0,"gone":0}' &&
        is c0 ask "SELECT r ->> '\$.lost_dependencies[0].dst_object' FROM r" &&
        sqlite3 deps.db "DELETE FROM dep_lifetime WHERE dep_id IN (SELECT dep_id
                FROM dep WHERE src = 4108 AND dst_object <> src_object);
            DELETE FROM dep WHERE src = 4108 AND dst_object <> src_object" &&
        fates | grep -x '{"found":5,"missed":0,"unscored":0,"gone":1}'
}
ok "a baseline tells apart two pairs whose loads lie in two objects" two_objects
rebuilt_library() {
    new_walks "DELETE FROM dep WHERE dst_block = 6"
    for database in deps.db static.db; do
        sqlite3 $database "UPDATE object SET build_id = 'c2'
            WHERE build_id = 'c0'"
    done
    fates | grep -x '{"found":5,"missed":1,"unscored":0,"gone":0}' &&
        new_walks && sqlite3 deps.db "UPDATE object SET build_id = 'b2'
            WHERE build_id = 'b1'" && sqlite3 static.db "UPDATE object
            SET build_id = 'b2' WHERE build_id = 'b1'" && fates |
        grep -x '{"found":6,"missed":0,"unscored":0,"gone":0}'
}
ok "a pair is known again after one of its objects was rebuilt" rebuilt_library

# --- Names and lines of both ends ---

cat >part.c <<'END'
extern volatile int shared;
void give(int n);
volatile int shared;
void give(int n)
{
    shared = n; /* store */
}
END
cat >whole.c <<'END'
extern volatile int shared;
void give(int n);
static __attribute__((noinline)) int take(void)
{
    return shared; /* load */
}
int main(void)
{
    int sum = 0;

    for (int i = 0; i < 2000; i++) {
        give(i);
        sum += take();
    }
    return sum == 0;
}
END
$CC -O1 -g -shared -fPIC -o libpart.so part.c
$CC -O1 -g -o whole whole.c -L. -lpart -Wl,-rpath,"$PWD"
rm -f deps.db static.db
ok "a program of two objects is recorded" \
    run valgrind -q --tool=depsim --objects=main --objects='*libpart.so' ./whole
ok "the program of two objects is walked" run staticdeps --scope=program ./whole libpart.so
# Pairs between the two objects are predicted in the baseline, and not afterwards.
sqlite3 static.db "ATTACH 'deps.db' AS t" "INSERT OR IGNORE INTO dep
    SELECT a.block_id, b.block_id, d.src, d.dst, 0, 0, 'program', NULL, 1, 1,
        'walk', NULL, 'unknown', NULL
    FROM t.dep AS d JOIN t.object AS x ON x.object_id = src_object
        JOIN t.object AS y ON y.object_id = dst_object
        JOIN object AS p ON p.build_id = x.build_id
        JOIN object AS q ON q.build_id = y.build_id
        JOIN block AS a ON a.object_id = p.object_id
            AND a.start <= src AND src < a.\"end\"
        JOIN block AS b ON b.object_id = q.object_id
            AND b.start <= dst AND dst < b.\"end\"
    WHERE p.object_id <> q.object_id"
run covcheck --format=json deps.db static.db >base.json
sqlite3 static.db "DELETE FROM dep WHERE scope = 'program'"
# Adds a false prediction in the other direction.
sqlite3 static.db "INSERT INTO dep SELECT a.block_id, b.block_id, a.start, b.start,
        0, 0, 'program', NULL, 1, 1, 'walk', NULL, 'unknown', NULL
    FROM block AS a JOIN function AS f USING(function_id), block AS b
        JOIN function AS g ON g.function_id = b.function_id
    WHERE f.name = 'take' AND g.name = 'give'"
store=part.c:$(sed -n '/store/=' part.c)
load=whole.c:$(sed -n '/load/=' whole.c)
# names LIST FORMAT WORD...: does the list have these words?
names() {
    list=$1
    format=$2
    shift 2
    ends 0 "--$list=all" --format="$format" deps.db static.db >/dev/null || return
    for word; do
        grep -q "\<$word\>" out || return
    done
}
for format in text markdown junit; do
    ok "a missed pair of two objects has both names and lines, in $format" \
        names missed $format give take "$store" "$load"
    ok "a false pair of two objects has both names, in $format" names false $format give take
done
in_json() {
    report_in_json --missed=all --false=all &&
        ask "SELECT value ->> 'function', value ->> '\$.src.lines[0].line',
                value ->> 'dst_function', value ->> '\$.dst.lines[0].line'
            FROM r, json_each(r, '\$.missed_dependencies')
                WHERE value ->> 'function' = 'give'
            UNION ALL SELECT value ->> 'function', '', value ->> 'dst_function', ''
            FROM r, json_each(r, '\$.false_predictions')
                WHERE value ->> 'scope' = 'program'" >got
    printf '%s\n' "give|${store#*:}|take|${load#*:}" 'take||give|' | diff - got
}
ok "JSON names both objects of a pair" in_json
on_page() {
    ends 0 --html=page.html --baseline=base.json deps.db static.db >/dev/null &&
        grep '<code>give</code> in .* → <code>take</code> in ' page.html |
        grep "$store</span>.*$load</span>"
}
ok "the page names both objects of a pair" on_page
# listed LIST: that list of the page.
listed() {
    sed -n "/id=listed-$1>/,/<\/table>/p" page.html
}
lists_on_page() {
    ends 0 --html=page.html --found=20 --missed=all --false=all --lifetime=inf \
        deps.db static.db >/dev/null &&
        listed missed | grep '<code>give</code> in .* → <code>take</code> in ' |
        grep "$store</span>.*$load</span>.*<td class='t extra'>program</td>" &&
        listed false | grep '<code>take</code> in .* → <code>give</code> in ' &&
        [ "$(listed found | grep -c "^<tr><td class='name extra'>")" -eq \
            "$(sed -n 's/^found at lifetime inf: \([0-9]*\) of.*/\1/p' out)" ]
}
ok "lists that were asked for are on the page, with both objects" lists_on_page
not_asked_for() {
    ends 0 --html=page.html deps.db static.db >/dev/null &&
        ! grep -q id=listed- page.html
}
ok "lists that were not asked for are not on the page" not_asked_for
rm -f page.html

# --- Damage ---

# refuses_walks SQL WHAT: does covcheck refuse the database that SQL damages?
refuses_walks() {
    new_walks "$1"
    refuses covcheck static.db covcheck deps.db static.db &&
        grep -q ": damaged database: $2" .err
}
refusals refuses_walks <<'END'
a static.db of walks without a scope|DELETE FROM analysis|an analysis without a scope
a static.db with an unknown scope|UPDATE analysis SET value = 'galaxy'|an analysis without a scope
a block without a function|DELETE FROM function WHERE function_id = 2|a block without a function
a function without an object|UPDATE function SET object_id = 9 WHERE function_id = 2|a function without an object
a function of two objects|UPDATE block SET function_id = 3 WHERE block_id = 4|a function of two objects
a weak pair without a block|INSERT INTO weak VALUES (1, 77, 4104, 4144, 0.05)|a weak pair without a block
an access of unknown origin|PRAGMA ignore_check_constraints = ON; INSERT INTO access VALUES (4, 4144, 0, 'guessed')|a column has a wrong type
a call of unknown fate|PRAGMA ignore_check_constraints = ON; INSERT INTO call VALUES (1, 'lost')|a column has a wrong type
walks to no block|INSERT INTO coming VALUES (77, x'0000')|walks to no block
walks x'00'|UPDATE coming SET walks = x'00' WHERE block_id = 4|a malformed list of walks
walks x''|UPDATE coming SET walks = x'' WHERE block_id = 4|a malformed list of walks
walks x'000080'|UPDATE coming SET walks = x'000080' WHERE block_id = 4|a malformed list of walks
walks x'ffffffffffffffffffff0000'|UPDATE coming SET walks = x'ffffffffffffffffffff0000' WHERE block_id = 4|a malformed list of walks
walks that are a text|UPDATE coming SET walks = 'all' WHERE block_id = 4|
an access that belongs to no block|INSERT INTO access VALUES (77, 4104, 0, 'drawn')|an access without a block
a call that belongs to no block|INSERT INTO call VALUES (77, 'skipped')|a call without a block
a dependency without a block|UPDATE dep SET dst_block = 77 WHERE dst_block = 3|a dependency without a block
a block that ends before it starts|UPDATE block SET "end" = 1 WHERE block_id = 4|a block ends before it starts
evidence of an unknown kind|PRAGMA ignore_check_constraints = 1; UPDATE dep SET evidence = 'hearsay' WHERE src = 4112|a dependency without evidence
END

# --- Many, against an SQL query ---

new_many_walks() {
    new_many "$1"
    mv static.db blocks.db
    sqlite3 static.db ".read $data/walks-schema.sql" \
        "ATTACH 'blocks.db' AS m" "ATTACH 'deps.db' AS t" \
        ".read $data/walks-many.sql"
}
many() {
    new_many_walks "$1"
    from_sql walks-joined walks-scores >want
    report_in_json --min-share=0 || return
    ask "SELECT s.value ->> 'scope', l.value ->> 'lifetime', l.value ->> 'found',
            l.value ->> 'missed', l.value ->> 'found_occurrences',
            l.value ->> 'missed_occurrences', s.value ->> '\$.predictions.judged',
            s.value ->> '\$.predictions.occurred'
        FROM r, json_each(r, '\$.by_scope') AS s,
            json_each(s.value, '\$.lifetimes') AS l" >got
    [ "$(wc -l <want)" -eq 12 ] && diff want got
}
# many_total: the total is that of the scope program, the largest.
many_total() {
    ask "SELECT value ->> 'found', value ->> 'missed', value ->> 'found_occurrences',
            value ->> 'missed_occurrences' FROM r, json_each(r, '\$.lifetimes')" >got
    sed -n 's/^program|[^|]*|\([^|]*|[^|]*|[^|]*|[^|]*\)|.*/\1/p' want |
        diff - got
}
for seed in 1 2 3; do
    ok "an SQL query finds the figures of each scope of walks (seed $seed)" many $seed
    ok "the total is that of the largest scope (seed $seed)" many_total
done

# --- By support ---

supports() {
    from_sql walks-joined walks-supports >want
    report_in_json --min-share=0 || return
    ask "SELECT s.value ->> 'scope', s.value ->> 'support', l.value ->> 'lifetime',
            l.value ->> 'found', l.value ->> 'missed',
            l.value ->> 'found_occurrences', l.value ->> 'missed_occurrences',
            printf('%.9f', l.value ->> 'precision'),
            s.value ->> '\$.predictions.judged', s.value ->> '\$.predictions.occurred'
        FROM r, json_each(r, '\$.by_support') AS s,
            json_each(s.value, '\$.lifetimes') AS l" >got
    # 4 scopes, 21 thresholds, 3 bounds; the figures differ at most thresholds.
    [ "$(wc -l <want)" -eq 252 ] && diff want got &&
        [ "$(sed -n 's/^program|[0-9]*|inf|//p' got | sort -u | wc -l)" -gt 15 ]
}
for seed in 1 2 3; do
    new_many_walks $seed
    ok "an SQL query finds the figures by support (seed $seed)" supports
done
blocks_by_support() { # of schema 2, where supports are all 1, or 0.9
    new_pair
    sqlite3 static.db "UPDATE dep SET support = 0.9 WHERE src = 4096"
    report_in_json && ask "SELECT value ->> 'scope', value ->> 'support',
            value ->> '\$.predictions' FROM r, json_each(r, '\$.by_support')
        WHERE value ->> 'support' IN (0, 90, 95)" >got
    printf '%s\n' 'block|0|{"occurred":3,"judged":4}' \
        'block|90|{"occurred":3,"judged":4}' \
        'block|95|{"occurred":2,"judged":2}' | diff - got
}
ok "a static.db of blocks has figures by support" blocks_by_support
for support in 1.5 -0.5 "'much'"; do
    damaged_support() {
        new_walks "UPDATE dep SET support = $support WHERE src = 4112"
        refuses covcheck "damaged database" covcheck deps.db static.db &&
            new_pair && sqlite3 static.db "UPDATE dep SET support = $support" &&
            refuses covcheck "damaged database" covcheck deps.db static.db
    }
    ok "covcheck refuses a support of $support" damaged_support
done

# --- By evidence ---

evidences() {
    from_sql walks-joined walks-evidences >want
    report_in_json --min-share=0 || return
    ask "SELECT e.value ->> 'scope', e.value ->> 'evidence', l.value ->> 'lifetime',
            e.value ->> '\$.predictions.judged', l.value ->> 'occurred',
            l.value ->> 'found', l.value ->> 'found_occurrences',
            l.value ->> 'missed', l.value ->> 'missed_occurrences',
            printf('%.9f', l.value ->> 'share_w')
        FROM r, json_each(r, '\$.by_evidence') AS e,
            json_each(e.value, '\$.lifetimes') AS l
        WHERE e.value ->> 'evidence' <> 'block'" >got
    # 4 scopes, 2 kinds, 3 bounds.
    [ "$(wc -l <want)" -eq 24 ] && diff want got
}
# read_evidences FILE: does the report show the figures in rows of a table?
read_evidences() {
    tr -s ' |' '  ' <"$1" | sed 's/<[^>]*>/ /g; s/\xe2\x80\xaf//g; s/^/ /' |
        tr -s ' ' >words
    while IFS='|' read -r scope evidence bound judged occurred found _; do
        grep -E "^ $scope $bound $evidence $judged $occurred [0-9.]+% $found [0-9.]+%" \
            words || { echo "not there: $scope $bound $evidence"; return 1; }
    done <want
}
reports_evidences() {
    ends 0 --min-share=0 "--$1" deps.db static.db >/dev/null &&
        read_evidences "$2"
}
for seed in 1 2 3; do
    new_many_walks $seed
    ok "an SQL query finds the figures by evidence (seed $seed)" evidences
done
for format in text markdown; do
    ok "the report has the figures by evidence, in $format" reports_evidences \
        format=$format out
done
ok "the page has the figures by evidence" reports_evidences html=page.html page.html
one_kind() {
    new_walks
    ends 0 --min-share=0 deps.db static.db && ! grep -q share_w out
}
ok "there is no table by evidence if all pairs have the same" one_kind
# by_flow EVIDENCE FORMAT TEXT: if all pairs have this evidence, is there such a line?
by_flow() {
    new_walks "UPDATE dep SET evidence = '$1'"
    shows "$3" --min-share=0 --lifetime=inf --found=all --false=all --format="$2"
}
ok "a found dependency says how it was predicted" by_flow flow text \
    '^    predicted by flow with no fixed delta-k'
ok "a false prediction says how it was predicted" by_flow walk text ', predicted by walks$'
ok "Markdown says how a dependency was predicted" \
    by_flow flow markdown '^| .f. .* to .* | Δk 0 by flow |$'
ok "JSON says how a dependency was predicted" \
    by_flow walk json '"delta_k_agrees": null, "evidence": "walk"'

end_of_cases
