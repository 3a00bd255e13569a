#!/bin/sh
# covcheck: what was missed and why, what was false, and where it is in the
# source.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

# --- By hand ---

new_pair
cat >expected <<'EOF'
missed at lifetime inf: 2 of 2
  reason                                   dependencies  occurrences
  block not analysed                              50.0%        90.9%
  an address was unknown                           0.0%         0.0%
  data-dependent: from a loaded value              0.0%         0.0%
  different bases (aliased from outside)           0.0%         0.0%
  beyond the unrolled window                       0.0%         0.0%
  one base, at another distance                   50.0%         9.1%

  500 occurrences at distance 1 in /opt/bench
    store    101c  (no code)
                   in f+0x1c
    load     1020  (no code)
                   in f+0x20
    reason block not analysed

  50 occurrences at distances 600 to 700 in /opt/bench
    store    1008  (no code)
                   in f+0x8
    load     100c  (no code)
                   in f+0xc
    reason one base, at another distance

predicted, but did not occur: 1 of 1

  delta-k 1 in a block executed 1000 times in /opt/bench
    store    1008  (no code)
                   in f+0x8
    load     1008  (no code)
                   in f+0x8
EOF
both_lists() {
    ends 0 --lifetime=inf --missed --false deps.db static.db &&
        sed -n '/^missed at/,$p' out | diff expected - &&
        [ "$(cat err)" = "covcheck: /opt/bench: No such file or directory" ]
}
ok "missed dependencies and false predictions are listed" both_lists
cat >expected <<'EOF'
found at lifetime inf: 2 of 3; all: --found=all

  1000 occurrences at distances 1 to 900 in /opt/bench
    store    1000  (no code)
                   in f+0x0
    load     1004  (no code)
                   in f+0x4
    predicted with delta-k 0, as the smallest distance

  999 occurrences at distances 300 to 5000 in /opt/bench
    store    1004  (no code)
                   in f+0x4
    load     1000  (no code)
                   in f+0x0
    predicted with delta-k 1, unlike the smallest distance
EOF
found_list() {
    ends 0 --lifetime=inf --found=2 deps.db static.db &&
        sed -n '/^found at/,$p' out | diff expected -
}
ok "found dependencies are listed with their delta-k" found_list
one_of_two() {
    ends 0 --lifetime=inf --missed=1 deps.db static.db &&
        grep -q '^missed at lifetime inf: 1 of 2; all: --missed=all$' out &&
        [ "$(grep -c '^    reason' out)" -eq 1 ] &&
        grep -q '^  500 occurrences' out
}
ok "--missed=1 lists the heaviest missed dependency" one_of_two
ok "--missed lists what is missed at the first bound, 512" \
    shows '^missed at lifetime 512: 1 of 1$' --missed=all
ok "covcheck opens no program unless a list is asked for" says 0 "" deps.db static.db

# reason WHAT SQL: is that the reason of 1008 -> 100c?
reason() {
    change static.db "$2"
    json "$1" '$.missed_dependencies[1].reason' --lifetime=inf --missed 2>/dev/null
}
# The block has 4 instructions; the smallest distance is 600.
while IFS='|' read -r what why sql <&3; do
    ok "$what" reason "$why" "$sql"
done 3<<END
a distance as long as the unrolled block is beyond the window|beyond-window|INSERT INTO analysis VALUES ('rob', 596)
a distance shorter than the unrolled block is not beyond the window|same-base|INSERT INTO analysis VALUES ('rob', 597)
an unknown address of the store is a reason for a miss|unknown-address|INSERT INTO unknown_address VALUES (1, 4104, 0, 1)
an unknown address of the load is a reason for a miss|unknown-address|INSERT INTO unknown_address VALUES (1, 4108, 1, 0)
only the load of a load and the store of a store must be known|same-base|INSERT INTO unknown_address VALUES (1, 4104, 1, 0), (1, 4108, 0, 1)
the reason "unknown address" comes before "beyond the window"|unknown-address|INSERT INTO analysis VALUES ('rob', 1); INSERT INTO unknown_address VALUES (1, 4108, 1, 0)
an unknown address of another block is no reason for a miss|same-base|INSERT INTO unknown_address VALUES (2, 4108, 1, 0), (6, 4108, 1, 0)
the reason "different bases" comes before "beyond the window"|different-bases|INSERT INTO access VALUES (1, 4108, 0, 2, 0); INSERT INTO analysis VALUES ('rob', 1)
a pair of one base may be beyond the window|beyond-window|INSERT INTO access VALUES (1, 4104, 1, 3, 0), (1, 4108, 0, 3, 0), (1, 4104, 0, 2, 1); INSERT INTO analysis VALUES ('rob', 1)
an address from a loaded value is the reason "data-dependent"|data-dependent|INSERT INTO access VALUES (1, 4104, 1, 3, 1)
the reason "unknown address" comes before "data-dependent"|unknown-address|INSERT INTO access VALUES (1, 4104, 1, 3, 1); INSERT INTO unknown_address VALUES (1, 4108, 1, 0)
an access with an unknown base has a different base|different-bases|INSERT INTO access VALUES (1, 4104, 1, 0, 0)
END
refusals refuses_changed <<END
an access without a block|static.db|INSERT INTO access VALUES (99, 1, 1, 1, 0)|damaged.*access without a block
an unknown address without a block|static.db|INSERT INTO unknown_address VALUES (99, 1, 1, 1)|damaged.*unknown address without a block
a reorder buffer that is no number|static.db|INSERT INTO analysis VALUES ('rob', 'x')|damaged.*wrong type
END

# --- From SQL ---

# pairs LIST COLUMN...: the pairs of a list of the report, with these columns, in order.
pairs() {
    list=$1
    shift
    ask "SELECT value ->> 'object', value ->> '\$.src.address',
        value ->> '\$.dst.address'$(printf ", value ->> '%s'" "$@")
        FROM r, json_each(r, '\$.$list') ORDER BY 1, 2, 3, 4"
}
query_found() {
    report_in_json --lifetime=inf,1024,512 --min-share=0 --found=all 2>/dev/null ||
        return
    from_sql listed-found >want
    pairs listed_found_dependencies occurrences min_distance max_distance delta_k |
        sed 's/, /,/g' >got
    [ "$(wc -l <want)" -gt 50 ] && diff want got
}
query_lists() {
    report_in_json --lifetime=inf,1024,512 --min-share=0 --missed=all --false=all \
        2>/dev/null || return
    from_sql missed >want
    pairs missed_dependencies occurrences min_distance max_distance reason >got
    diff want got || return
    from_sql false >want
    pairs false_predictions delta_k weight >got
    [ "$(wc -l <want)" -gt 100 ] && diff want got
}
all_reasons() {
    is 6 ask "SELECT count(DISTINCT value ->> 'reason')
        FROM r, json_each(r, '\$.missed_dependencies')"
}
# The summary of reasons, computed from the list and the occurrences within each
# bound.
summary() {
    sqlite3 deps.db "
        CREATE TEMP TABLE missed AS
            SELECT value ->> 'object' AS id, value ->> '\$.src.address' AS src,
                value ->> '\$.dst.address' AS dst, value ->> 'reason' AS reason
            FROM json_each(CAST(readfile('out') AS TEXT),
                '\$.missed_dependencies');
        CREATE TEMP TABLE pair AS
            SELECT dep_id, a.build_id AS id, printf('0x%x', src) AS src,
                printf('0x%x', dst) AS dst
            FROM dep JOIN object AS a ON a.object_id = src_object
                JOIN object AS b ON b.object_id = dst_object
            WHERE a.build_id = b.build_id;
        WITH bound(lifetime) AS (VALUES (9223372036854775807), (1024), (512)),
        counted AS (
            SELECT bound.lifetime, reason, sum(l.occurrences) AS n
            FROM pair JOIN missed USING(id, src, dst)
                JOIN dep_lifetime AS l USING(dep_id)
                JOIN bound ON l.lifetime <= bound.lifetime
            GROUP BY bound.lifetime, id, src, dst)
        SELECT iif(lifetime > 1024, 'inf', lifetime), reason, count(*), sum(n)
        FROM counted GROUP BY lifetime, reason" | sort >want
    ask "SELECT l.value ->> 'lifetime', n.key, n.value ->> 'dependencies',
            n.value ->> 'occurrences'
        FROM r, json_each(r, '\$.missed_reasons') AS l, json_each(l.value) AS n
        WHERE n.key NOT IN ('lifetime', 'never-walked', 'below-support',
            'unresolved-call', 'call-not-entered', 'never-in-one-walk', 'not-shown')" |
        sort >got
    [ "$(wc -l <want)" -eq 18 ] && diff want got
}
heaviest_first() {
    ask "SELECT value ->> 'occurrences' FROM r, json_each(r, '\$.missed_dependencies')" \
        >got
    sort -c -r -n got
}
for seed in 1 2 3; do
    new_many $seed
    ok "an SQL query finds the list of found dependencies (seed $seed)" query_found
    ok "an SQL query finds the lists of missed and false ones (seed $seed)" query_lists
    ok "missed dependencies have all reasons (seed $seed)" all_reasons
    ok "reasons for misses add up at each bound (seed $seed)" summary
    ok "lists begin with the heaviest dependency (seed $seed)" heaviest_first
done

# --- Names of C++ ---

# shown SYMBOL NAME: people read the name, and programs the symbol.
shown() {
    change static.db "UPDATE block SET function = '$1'"
    ends 0 --by=function --html=page.html deps.db static.db >&2 &&
        grep -F "%  $2 in /opt/bench" out &&
        grep -F "<code>$(echo "$2" |
            sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g')</code>" page.html &&
        ends 0 --format=markdown --missed deps.db static.db &&
        grep -F "| \`$2\` |" out &&
        json "$1" '$.groups[0].function' --by=function
}
for symbol in _ZN5outer5innerIiEEvT_ _ZNSt6vectorIiSaIiEE9push_backERKi \
    _ZL4loopv.cold; do
    ok "covcheck shows $symbol as c++filt does" shown $symbol "$(echo $symbol | c++filt)"
done
ok "covcheck shows an entry of the PLT with its mark" \
    shown _Znwm@plt "operator new(unsigned long)@plt"
ok "covcheck shows a symbol of Rust without its hash" \
    shown _ZN5bench4loop17h0123456789abcdefE bench::loop
ok "covcheck shows a newer symbol of Rust as its name" \
    shown _RNvCs4fqI2P2rA04_5bench6kernel bench::kernel
ok "covcheck shows a long symbol of Rust as its name" shown \
    "_RNvMNtNtCs4fqI2P2rA04_5bench6kernel8elementsINtB2_4ListmE3add" \
    "$(echo _RNvMNtNtCs4fqI2P2rA04_5bench6kernel8elementsINtB2_4ListmE3add |
        c++filt | sed 's/\[[0-9a-f]*\]//g')"
ok "covcheck shows a procedure of a Fortran module as its name" \
    shown __statistics_MOD_add statistics::add
ok "a name that is no C++ symbol is shown as it is" shown _Zebra _Zebra
# A C++ name whose length doubles with each type, to millions of characters.
long=$(awk 'BEGIN { printf "_Z1f1A1pIS_S_E"; s = "S1_"
    for (i = 2; i < 34; i++) {
        printf "S0_I%s%sE", s, s
        s = "S" substr("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1, 1) "_" }
    }')
long_name() {
    change static.db "UPDATE block SET function = '$long'"
    ends 0 --by=function deps.db static.db &&
        grep -qF "$(echo "$long" | cut -c 1-80)..." out
}
ok "a C++ name of millions of characters is cut" long_name
# Parameters that make a C++ name longer than 128 characters.
parameters=$(printf 'St6vectorI5node%dE' 0 1 2 3 4 5 6 7 8 9)
shortened() {
    change static.db "UPDATE block SET function = '$1'"
    ends 0 --by=function deps.db static.db && grep -F "%  $2 in /opt/bench" out
}
ok "a C++ name that is too long is shown without parameters" \
    shortened "_ZN5outer5innerE$parameters" "outer::inner(...)"
ok "a C++ name that is still too long is shown without template arguments" \
    shortened \
    "_ZN5outer4pairI${parameters}E5innerEv" "outer::pair<...>::inner()"

# --- Functions with several names ---

rm -f deps.db static.db
cat >folded.c <<'END'
static volatile int sum;
void _ZN3sum3addEv(void)
{
    for (int i = 0; i < 1000; i++)
        sum += i;
}
void another(void) __attribute__((alias("_ZN3sum3addEv")));
void _ZN3sum5againEv(void) __attribute__((alias("_ZN3sum3addEv")));
int main(void)
{
    _ZN3sum3addEv();
    return 0;
}
END
ok "a program whose functions share their code is compiled" "${CC:-gcc}" -O1 -o folded folded.c
ok "a program whose functions share their code is recorded" \
    run valgrind -q --tool=depsim ./folded
# all_names SCOPE: are all names of the function in each format?
all_names() {
    run staticdeps --scope="$1" -o static.db ./folded || return
    ends 0 --by=function --html=page.html deps.db static.db >&2 || return
    for name in sum::add another sum::again; do
        grep "%  .* (also .*) in .*/folded$" out | grep -w "$name" &&
            grep "<code>.*(also .*)</code>" page.html | grep -qw "$name" || return
    done
    ends 0 --format=json --by=function deps.db static.db || return
    first=$(ask "SELECT value ->> 'function' || ',' || (value ->> 'other_names')
        FROM r, json_each(r, '\$.groups') WHERE value ->> 'other_names' IS NOT NULL")
    equal "$(echo "$first" | tr , '\n' | sort | tr '\n' ' ')" \
        "_ZN3sum3addEv _ZN3sum5againEv another "
}
for scope in block function; do
    ok "a function that has three names shows all of them (--scope=$scope)" all_names $scope
done

# --- A program with each reason ---

"${CC:-gcc}" -g -O1 -o reasons "$srcdir/programs/reasons.c"
record reasons
# why FUNCTION REASON: has all that its block misses that reason?
why() {
    report_in_json --lifetime=inf --missed=all || return
    ask "SELECT DISTINCT value ->> 'function', value ->> 'reason'
        FROM r, json_each(r, '\$.missed_dependencies')" >got
    cat got
    [ "$(grep "^$1|" got)" = "$1|$2" ]
}
while read -r function why what; do
    ok "$what is the reason \"$why\"" why "$function" "$why"
done <<'END'
histogram data-dependent a loaded index
walk data-dependent a loaded pointer
alias different-bases a pair of pointers
sweep beyond-window the next sweep over a long array
short_sweep same-base the next sweep over a short array
END

# --- In the source ---

"${CC:-gcc}" -g -O1 -o alias "$srcdir/programs/alias.c"
record alias
# The missed dependency from put's store to get's load.
run covcheck --missed=all --format=json deps.db static.db >list.json
end_of() {
    ask "SELECT value ->> '\$.$1.address' FROM r, json_each(r, '\$.missed_dependencies')
        WHERE value ->> '\$.src.lines[0].function' = 'put'
            AND value ->> '\$.dst.lines[0].function' = 'get'" list.json
}
# lines_of: functions and lines as addr2line has them, the innermost first.
lines_of() {
    ask "SELECT line.value ->> 'function' || char(10)
            || (line.value ->> 'file') || ':' || (line.value ->> 'line')
        FROM r, json_each(r, '\$.missed_dependencies') AS d,
            json_each(d.value, '\$.$1.lines') AS line
        WHERE d.value ->> '\$.src.lines[0].function' = 'put'
            AND d.value ->> '\$.dst.lines[0].function' = 'get'" list.json
}
same_lines() {
    addr2line -f -i -e alias "$(end_of "$1")" |
        sed 's/ (discriminator.*//' >want
    lines_of "$1" >got
    [ "$(wc -l <want)" -eq 4 ] && diff want got
}
ok "the lines of a store, inlined or not, are those of addr2line" same_lines src
ok "the lines of a load, inlined or not, are those of addr2line" same_lines dst
line() { grep -n "$1" "$srcdir/programs/alias.c" | cut -d: -f1; }
in_text() {
    ends 0 --missed=all deps.db static.db && [ ! -s err ] &&
        grep -q "in put at alias.c:$(line 'to = value'), inlined into loop$(
            ) at alias.c:$(line 'put(a')\$" out &&
        grep -A1 "store .* $(end_of src | sed 's/0x//')  mov" out
}
ok "the text report has function, line, inlining and instruction" in_text
found_in_source() {
    run staticdeps --scope=program -o walks.db alias &&
        ends 0 --found=all --lifetime=inf --min-share=0 deps.db walks.db &&
        [ ! -s err ] && sed -n '/^found at/,$p' out >got &&
        grep ', between blocks$' got && grep ', between functions$' got &&
        grep " in main.* at alias\\.c:" got &&
        [ "$(grep -c '^    predicted by walks with ' got)" = \
            "$(grep -c ' occurrences at distance' got)" ]
}
# The only dependency within a block is the one whose load is in get.
by_line() {
    get=$(line 'value = \*from') &&
        ends 0 --by=line deps.db static.db && [ ! -s err ] &&
        grep "^ *0  *100  .* alias\.c:$get in $PWD/alias\$" out &&
        ends 0 --by=line --format=markdown deps.db static.db &&
        grep "^|.*| alias\.c:$get in " out &&
        json "$get" '$.groups[0].line' --by=line
}
bases() {
    sed -n '/in put at/,/reason/p' out | grep -q 'reason different bases'
}
ok "two equal pointers are the reason \"different bases\"" bases
ok "--by=line counts a dependency at the line of its load" by_line
ok "predictions of walks between functions have names and lines" found_in_source
# build_id: that of the program
build_id() {
    readelf -n alias | sed -n 's/ *Build ID: //p'
}
another_file() {
    was=$(build_id)
    "${CC:-gcc}" -g -O2 -DANOTHER -o alias "$srcdir/programs/alias.c" &&
        says 0 "covcheck: $PWD/alias: not the file that was recorded: its$(
            ) build-id is $(build_id), and was $was" --missed deps.db static.db &&
        grep -q '(no code)' out && ! grep -q 'alias\.c' out
}
ok "covcheck warns of a program of another build-id, and shows no code" another_file
a_pipe() {
    rm alias && mkfifo alias &&
        says 0 "covcheck: $PWD/alias: not a regular file" --missed \
            deps.db static.db
}
ok "covcheck does not wait for a pipe in the place of a program" a_pipe

end_of_cases
