#!/bin/sh
# covcheck --html: the page, and what a browser makes of it.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

SOURCE_DATE_EPOCH=90061
export SOURCE_DATE_EPOCH

# --- The figures ---

# The figures of tests/covcheck/covcheck.sh, worked out by hand, in the cells of the
# tables.  The table of functions shows the first bound, and packs the others.
. "$srcdir/browser.sh"
new_pair
cat >expected <<'EOF'
share@of all 1489 occurrences at lifetime 512@
87.2%@scored: within one block, in kept blocks@
6.6%@dropped: in blocks that ran little; to keep them: --min-share=0@
0.7%@spanning: beyond one block; to score it: staticdeps --scope=function@
5.4%@outside: in code not analysed; see below@
@dependencies@occurrences@
lifetime@cov_u@cov_w@precision@found@missed@spanning@found@missed@spanning@
512@75.0%@61.5%@75.0%@3@1@1@799@500@10@
1024@60.0%@68.6%@75.0%@3@2@1@1199@550@10@
inf@60.0%@79.2%@75.0%@3@2@2@2099@550@22@
precision@75.0%@3 of 4 predictions occurred at any distance@
delta-k agreement@50.0%@1 of 2 found have the right number of iterations@
blocks kept (hot)@3@of 5 executed at least 0.1% of all instructions@
blocks unanalysed@1@of those kept@
@512@1024@inf@
reason@dependencies@occurrences@dependencies@occurrences@dependencies@occurrences@
block not analysed@1@500@1@500@1@500@
an address was unknown@0@0@0@0@0@0@
data-dependent: from a loaded value@0@0@0@0@0@0@
different bases (aliased from outside)@0@0@0@0@0@0@
beyond the unrolled window@0@0@0@0@0@0@
one base, at another distance@0@0@1@50@1@50@
@occurrences@dependencies@
function@blocks@between@occurrences@found@missed@cov_w@found@missed@cov_u@spanning@
f@3@@@799@500@61.5%@3@1@75.0%@1@
lifetime@one block@one function@two functions@unknown@outside@occurrences@
512@93.9%@0.7%@0.0%@0.0%@5.4%@1489@
1024@95.3%@0.5%@0.0%@0.0%@4.2%@1939@
inf@96.4%@0.5%@0.0%@0.0%@3.1%@2851@
file@within 512@within 1024@within inf@
/lib/libc.so@77@77@84@
/opt/bench, in no block@3@3@3@
/tmp/without-identity@1@1@1@
EOF
figures() {
    run covcheck --html=figures.html deps.db static.db >out 2>err || return
    sed -n '/<main>/,/<section id=curve\|The hottest/p' figures.html |
        sed 's|</t[hd]>|@|g; s|<[^>]*>||g; s/\xe2\x80\xaf//g' | grep @ |
        diff expected -
}
ok "the page has the figures worked out by hand" figures
# The page has its own order of bounds, whatever the order of the report is.
same_in_any_order() {
    run covcheck --lifetime=inf,1024,512 --html=ordered.html deps.db \
        static.db >out && grep -q '^ *inf .*' out &&
        grep -o '<option value=[0-9]>[a-z0-9]*' ordered.html |
        sed 's/.*>//' >got && printf '%s\n' 512 1024 inf | diff - got &&
        sed -n '/<main>/,/The hottest/p' ordered.html |
        sed 's|</t[hd]>|@|g; s|<[^>]*>||g; s/\xe2\x80\xaf//g' | grep @ |
            diff expected -
}
ok "the page lists the bounds 512, 1024 and inf in this order" same_in_any_order
rm deps.db static.db

# --- A program ---

# A program whose path and function have names that are markup.
mkdir "p&q<evil>'" && cd "p&q<evil>'" || exit 1
cp "$srcdir/kernels/c/seidel-2d.c" "s&<evil>.c"
$CC -O1 -g -I"$srcdir/kernels/c" -o bench "s&<evil>.c" -lm
cd ..
ok "a program with markup in its path is recorded" \
    run valgrind -q --tool=depsim "./p&q<evil>'/bench"
ok "a program with markup in its path is analysed" \
    run staticdeps "./p&q<evil>'/bench"

# Adds a false prediction to the hottest block, from its last instruction that
# stores or loads to its first, and gives the function a name with markup.
sqlite3 static.db "
    CREATE TEMP TABLE hot AS SELECT block_id, min(src, dst) AS a,
        max(src, dst) AS b FROM dep JOIN block USING(block_id)
        WHERE function = 'sweep' GROUP BY block_id;
    UPDATE block SET function = 'operator<evil>&\"''' WHERE function = (
        SELECT function FROM block JOIN hot USING(block_id));
    INSERT INTO dep SELECT block_id, a, start, 0, 0, 0, 1.0, 'unknown', NULL
        FROM hot JOIN block USING(block_id);
    INSERT INTO dep SELECT block_id, a, a, 0, 0, 3, 0.8, 'unknown', NULL FROM hot;"

ok "covcheck --html writes a page" run covcheck --html=page.html --min-cov-u=0 \
    --min-cov-w=512:100 deps.db static.db
stripped() {
    cp static.db stripped.db
    sqlite3 stripped.db "UPDATE block SET function = NULL"
    run covcheck --html=stripped.html deps.db stripped.db &&
        grep -E '<summary><code>[0-9a-f]+, outside any function</code>' \
            stripped.html
}
same_report() {
    run covcheck deps.db static.db >without &&
        run covcheck --html=other.html deps.db static.db >with &&
        diff without with
}
ok "--html does not change the text report" same_report
ok "a block outside any function has an address for a name" stripped
again() {
    cp page.html first.html && run covcheck --html=page.html --min-cov-u=0 \
        --min-cov-w=512:100 deps.db static.db && cmp page.html first.html
}
made() {
    grep '<p class=made>' page.html >&2
    grep -F '<p class=made><code>covcheck --html=page.html --min-cov-u=0 --min-cov-w=512:100 deps.db static.db</code><br><time>1970-01-02 01:01 UTC</time></p>' page.html
}
ok "covcheck's page has the command that made it, and the date" made
ok "covcheck writes the same page for the same databases" again
alone() {
    ! grep -n -i -E 'https?:|//[a-z]|<(img|iframe|object|embed)|@import|url\(' \
        page.html
}
ok "the page refers to no other file" alone

# --- In a browser ---

# probe WIDTH [PAGE]: the answers of html-probe.js.
probe() {
    question "$1" 'ready.then(async () => {' covcheck/html-probe.js '});' <"${2-page.html}"
}

quiet() {
    browse 1280 page.html
    cat log
    grep -q '<main>' dom && [ ! -s console ]
}
noisy() {
    echo '<!DOCTYPE html><script>no_such_thing()</script>' >noisy.html
    browse 1280 noisy.html
    grep no_such_thing console
}

# between: the page draws the pairs between blocks that the report has.  One found
# pair is made a missed one, and one that does not occur is added.  The program does
# not reach the page's limit of pairs.
between() {
    run staticdeps --scope=function -o walks.db "./p&q<evil>'/bench"
    sqlite3 walks.db "
        CREATE TEMP TABLE one AS SELECT src_block, dst_block, src, dst FROM dep
            JOIN block AS b ON b.block_id = src_block
            JOIN function AS f USING(function_id)
            WHERE scope = 'function' AND f.name = 'main' ORDER BY src LIMIT 1;
        DELETE FROM dep WHERE (src, dst) IN (SELECT src, dst FROM one);
        INSERT OR IGNORE INTO dep SELECT dst_block, src_block, dst, src, 0, 0,
            'function', NULL, 1, 1, 'walk', NULL, 'unknown', NULL FROM one"
    run covcheck --html=walks.html --min-share=0 --missed --found --false deps.db \
        walks.db >/dev/null
    run covcheck --format=json --min-share=0 --lifetime=inf --missed=all \
        --false=all deps.db walks.db >walks.json
    for width in 1280 390; do
        probe $width walks.html
        for name in arcs-meet arcs-apart arcs-inside between-listed no-overflow \
            tables-fit legible; do
            ok "a page with pairs between blocks passes $name at $width" answers $name
        done
        ok "arcs lead from block to block at $width pixels" answers between \
            "$(sqlite3 :memory: "SELECT (r ->> '\$.by_scope[1].lifetimes[0].found')
                    - (r ->> '\$.by_scope[0].lifetimes[0].found'),
                (SELECT count(*) FROM json_each(r, '\$.missed_dependencies')
                    WHERE value ->> 'scope' = 'function'),
                (SELECT count(*) FROM json_each(r, '\$.false_predictions')
                    WHERE value ->> 'scope' = 'function')
            FROM (SELECT CAST(readfile('walks.json') AS TEXT) AS r)" |
                tr '|' ,)"
    done
}

in_browser() {
    ok "the browser reports an error on a page" noisy
    ok "the browser reports no error on covcheck's page" quiet
    for width in 1280 390; do
        probe $width
        ok "the browser's window has $width pixels" answers width $width
        for name in no-overflow tables-fit arcs-meet arcs-apart arcs-inside \
            kinds-differ escaped source labels-apart legible sorted bars \
            highlight support-shapes linked searched scrolls; do
            ok "the page passes $name at $width pixels" answers $name
        done
        ok "the page draws all kinds of arcs at $width pixels" answers kinds 1,8,2
        ok "each bound with data has points in the curve at $width pixels" \
            answers curve "$points"
        ok "the plot of supports has each threshold at $width pixels" \
            answers support "$thresholds"
    done
    probe 420
    for name in no-overflow tables-fit linked searched scrolls; do
        ok "the page passes $name at 420 pixels" answers $name
    done
    between
    sed 's/@media(prefers-color-scheme:dark)/@media all/' page.html >dark.html
    probe 1280 dark.html
    ok "the dark page is legible" answers legible
    ok "the kinds of arcs differ on the dark page" answers kinds-differ
    run staticdeps -o part.db --function=main "./p&q<evil>'/bench"
    run covcheck --html=part.html deps.db part.db >text 2>&1
    probe 390 part.html
    ok "the page shows what a filter left out" answers left-out 1
    ok "the page of a filtered analysis is legible" answers legible
    ok "the page of a filtered analysis fits 390 pixels" answers no-overflow
    sed 's/@media(prefers-color-scheme:dark)/@media all/' part.html >dark.html
    probe 390 dark.html
    ok "the dark page of a filtered analysis is legible" answers legible
    run covcheck --format=json deps.db static.db >baseline.json
    sqlite3 static.db "DELETE FROM dep WHERE delta_k = 1"
    run covcheck --html=changed.html --baseline=baseline.json --max-drop=0 \
        deps.db static.db >/dev/null 2>&1
    probe 390 changed.html
    ok "the page with a baseline shows what was lost" answers lost 1
    ok "the page with a baseline counts what became of dependencies" answers fates 3
    for name in no-overflow tables-fit; do
        ok "the page with a baseline passes $name at 390 pixels" answers $name
    done
    src=$(sqlite3 :memory: "SELECT json_extract(CAST(readfile('baseline.json')
        AS TEXT), '\$.found_dependencies[0].src')")
    sqlite3 deps.db "CREATE TABLE some AS SELECT dep_id FROM dep
            WHERE printf('0x%x', src) = '$src';
        DELETE FROM dep_lifetime WHERE dep_id IN some;
        DELETE FROM dep WHERE dep_id IN some"
    run covcheck --html=gone.html --baseline=baseline.json deps.db static.db \
        >text 2>&1
    probe 390 gone.html
    ok "the page with a baseline shows what is gone" answers gone \
        "$(sed -n 's/^found before and gone now: //p' text)"
    ok "the page that shows what is gone fits 390 pixels" answers no-overflow
}

# How many bounds have a figure of cov_u, and of cov_w.
points=$(run covcheck --format=json \
    --lifetime="$(sqlite3 deps.db "SELECT group_concat(
        iif(lifetime = 9223372036854775807, 'inf', lifetime)) FROM lifetime")" \
    deps.db static.db >all.json
    sqlite3 :memory: "SELECT count(value ->> 'cov_u') || ',' ||
        count(value ->> 'cov_w') FROM json_each(
            CAST(readfile('all.json') AS TEXT), '\$.lifetimes')")

thresholds=$(sqlite3 :memory: "SELECT count(DISTINCT
        (value ->> '\$.predictions.judged') || ' ' ||
        (value ->> '\$.lifetimes[0].found'))
    FROM json_each(CAST(readfile('all.json') AS TEXT), '\$.by_support')
    WHERE value ->> 'precision' IS NOT NULL")

if command -v chromium >/dev/null; then
    in_browser
else
    skip "the page in a browser" "chromium is not installed"
fi

# --- Many blocks ---

mkdir many && cd many || exit 1
new_many 2
cd ..
many() {
    run covcheck --html=many.html --min-share=0 --lifetime=inf many/deps.db \
        many/static.db &&
        grep -c '<details class=block id=block-[0-9]* open>' many.html &&
        ! grep '<details class=block id=block-1[3-9]' many.html &&
        [ "$(grep -c '^<script type=text/plain class=packed id=block-part' \
            many.html)" -gt 0 ]
}
ok "the page shows the first blocks, and packs the others" many
if command -v chromium >/dev/null; then
    probe 1280 many.html
    ok "a link opens the block that it leads to" answers opens
    ok "each function of the page leads to its own block" answers linked
fi

# --- As many blocks as gcc's compiler has ---

# new_large N: databases of N blocks of 48 bytes in cc1's code, four a function, with
# pairs within and between them.  About 1408 blocks of cc1 execute at least a ten
# thousandth of its instructions.
cc1=$($CC -print-prog-name=cc1)
new_large() {
    start=$(($(readelf -SW "$cc1" |
        sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) .*/0x\1/p') + 4096))
    rm -f deps.db static.db
    sqlite3 deps.db ".read $data/deps-schema.sql"
    sqlite3 static.db ".read $data/walks-schema.sql"
    sqlite3 static.db "ATTACH 'deps.db' AS t;
        INSERT INTO object VALUES (1, '$cc1', '$id', 'x86-64');
        INSERT INTO t.object VALUES (1, '$cc1', '$id');
        INSERT INTO t.run(run_id, complete, instructions, recorded)
            VALUES (1, 1, 9999999, 9999999);
        INSERT INTO t.lifetime SELECT 1, value
            FROM json_each('[512, 1024, 9223372036854775807]');
        INSERT INTO analysis VALUES ('scope', 'function');
        CREATE TEMP TABLE i AS WITH RECURSIVE i(n, a) AS (SELECT 0, $start
            UNION ALL SELECT n + 1, a + 48 FROM i LIMIT $1) SELECT * FROM i;
        INSERT INTO function SELECT n / 4 + 1, 1, 'function_' || (n / 4), a,
            a + 192 FROM i WHERE n % 4 = 0;
        INSERT INTO block SELECT n + 1, 1, n / 4 + 1, a, a + 48, 12, 'ok', 0, 9
            FROM i;
        INSERT INTO t.segment SELECT 1, 1, a, a + 48, 100 + n FROM i;
        INSERT INTO dep SELECT n + 1, n + 1, a, a + 16, 0, 4, 'block', 0, 4, 1,
            'walk' FROM i WHERE n % 3;
        INSERT INTO dep SELECT n + 1, n + 2, a + 4, a + 68, 1, 5, 'function',
            NULL, 16, 1, 'flow' FROM i WHERE n % 4 < 3;
        INSERT INTO t.dep(dep_id, run_id, src_object, src, dst_object, dst,
                occurrences, min_distance, max_distance)
            SELECT 2 * n, 1, 1, a, 1, a + 16, 50, 4, 4 FROM i WHERE n % 2
            UNION ALL SELECT 2 * n + 1, 1, 1, a + 4, 1, a + 68, 20, 16, 16
                FROM i WHERE n % 5;
        INSERT INTO t.dep_lifetime(dep_id, lifetime, occurrences)
            SELECT dep_id, 512, occurrences FROM t.dep"
}
id=$(readelf -n "$cc1" 2>/dev/null | sed -n 's/.*Build ID: *//p')
if [ -n "$id" ]; then
    mkdir large && cd large || exit 1
    ok "databases of 1408 blocks are made" new_large 1408
    cd ..
    small() {
        run covcheck --html=large.html --min-share=0 --missed=all --false=all \
            large/deps.db large/static.db >/dev/null 2>&1
        echo "$(wc -c <large.html) bytes"
        [ "$(wc -c <large.html)" -lt 1000000 ] && ! grep -q id=more- large.html
    }
    ok "a page of 1408 blocks has them all in less than 1 MB" small
    if command -v chromium >/dev/null; then
        probe 420 large.html
        ok "each block of a large page can be reached" answers reached 1408,352
        ok "the search of a large page finds the blocks of a function" answers found-all
        for name in linked no-overflow arcs-meet; do
            ok "a large page passes $name" answers $name
        done
    fi
else
    skip "a page of 1408 blocks has them all in less than 1 MB" \
        "$CC has no cc1 with a build-id"
fi

# --- A long block ---

# A program in the last line of its file, which has no end of line.
printf '%s' 'int main(void) { for (volatile int i = 0; i < 999; i++); return 0; }' >last.c
last_line() {
    $CC -O1 -g -o last last.c && run valgrind -q --tool=depsim --deps-file=l.db ./last &&
        run staticdeps -o l.static.db last &&
        run covcheck --html=last.html l.db l.static.db >out &&
        grep '<td class=source>int main(void) { for' last.html
}
ok "the page shows the last line of a source" last_line
young() {
    touch -d "now + 1 minute" last.c &&
        run covcheck --html=young.html l.db l.static.db >out &&
        grep '<td class=where' young.html && ! grep 'int main(void) { for' young.html
}
ok "a source that is younger than the program is not shown" young

cat >long.c <<'END'
int main(void)
{
    volatile int a[3] = {0};

    for (int i = 0; i < 900; i++) {
        a[0] = a[1] + 1;
        __asm__ volatile(".rept 100; nop; .endr");
        a[1] = a[0] + i;
    }
    return a[1] == 0;
}
END
$CC -O1 -g -o long long.c
mkdir long.d
run valgrind -q --tool=depsim --deps-file=long.d/deps.db ./long
run staticdeps -o long.d/static.db ./long
ok "the page of a long block is written" \
    run covcheck --html=long.html long.d/deps.db long.d/static.db
in_parts() {
    grep -E '<td class=note>(9[0-9]|100) instructions' long.html &&
        ! grep -q '<td class=insn>nop.*<td class=insn>nop' long.html &&
        [ "$(grep -c '<td class=insn>nop' long.html)" -le 8 ]
}
ok "the page leaves out code that no dependency touches" in_parts
if command -v chromium >/dev/null; then
    probe 1280 long.html
    ok "arcs meet their rows where code is left out" answers arcs-meet
fi

# --- A program that is gone, and places where no page can be written ---

has() {
    cat page.html >&2
    grep -q -- "$1" page.html
}
mv "p&q<evil>'" elsewhere
ok "the page is written without the program's file" \
    run covcheck --html=page.html deps.db static.db
ok "a page written without the program's file says so" has 'class=note>No instructions: '
if command -v chromium >/dev/null; then
    probe 1280
    ok "arcs meet their rows where there are no instructions" answers arcs-meet
fi

for path in missing/page.html . ''; do
    ok "covcheck refuses --html=$path" refuses covcheck "$path" \
        covcheck --html="$path" deps.db static.db
done
full() {
    refuses covcheck /dev/full covcheck --html=/dev/full deps.db static.db
}
ok "covcheck ends with status 2 if the page cannot be written" full
untouched() {
    sha256sum deps.db static.db >sums
    refuses covcheck "$1" covcheck --html="$1" deps.db static.db &&
        sha256sum -c sums
}
ln -s deps.db link
for path in deps.db static.db ./static.db link; do
    ok "--html=$path does not overwrite an input" untouched "$path"
done
kept() {
    echo old >old.html
    ! run covcheck --html=old.html deps.db missing.db && grep -qx old old.html
}
ok "a failed run leaves the page of an earlier one" kept
nothing_left() {
    ! ls | grep 'html\.......$'
}
ok "writing the page leaves no temporary file" nothing_left

end_of_cases
