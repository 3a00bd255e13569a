#!/bin/sh
# --scope=program with an executable and its libraries: calls, pointers and data
# between them, as the dynamic linker resolves them.
#
# Each case names pairs of functions, and whether one reads what the other wrote:
# what depsim observes, and what staticdeps predicts.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

LD_LIBRARY_PATH=$tmp
export LD_LIBRARY_PATH

# --- The ways of a call ---

cat >one.c <<'END'
int one(int *p) { return ++*p; }
END
cat >bench.c <<'END'
int one(int *);
__attribute__((noinline)) int set(int *p) { *p = 1; return one(p); }
__attribute__((noinline)) int get(const int *p) { return *p; }
int main(void)
{
    int n;
    return set(&n) + get(&n) != 4;
}
END
library one
calls() {
    program "$@" one.so && analyse ./bench one.so &&
        has yes 'bench:set one.so:one' && has yes 'one.so:one bench:get'
}
# scopes OPERATOR SCOPE: the scopes of pairs whose objects are the same (=), or
# differ (<>).
scopes() {
    query k.db "SELECT group_concat(DISTINCT scope)
        FROM dep JOIN block AS a ON a.block_id = src_block
        JOIN block AS b ON b.block_id = dst_block
        WHERE a.object_id $1 b.object_id AND scope $2"
}
ok "a call through a lazily bound table is followed into a library" calls -Wl,-z,lazy
ok "a call through a table bound at once is followed into a library" calls -Wl,-z,now
ok "a call without a linkage table is followed into a library" calls -fno-plt -O2
ok "a tail call is followed into a library" calls -O2
ok "a call from fixed addresses is followed into a library" calls -no-pie
ok_if '[ "$(uname -m)" = x86_64 ]' "needs x86-64" \
    "a call through a second table is followed into a library" \
    calls -fcf-protection -Wl,-z,ibtplt
ok "pairs of two files have the scope program" equal "$(scopes '<>' "<> ''")" \
    program
ok "pairs within one file do not have the scope program" equal "$(scopes '=' "= 'program'")" ''
reversed() {
    analyse one.so ./bench && has yes 'bench:set one.so:one'
}
ok "calls are followed whatever the order of the files" reversed
# addresses: pairs of two files have the addresses that each file has alone.
addresses() {
    run staticdeps --scope=program -o alone.db one.so &&
        equal "$(query k.db "ATTACH 'alone.db' AS s; SELECT count(*) > 0,
            sum(NOT EXISTS (SELECT 1 FROM main.block AS a
                JOIN main.object AS o USING(object_id)
                WHERE a.start = b.start AND a.\"end\" = b.\"end\"
                    AND o.path = 'one.so')) FROM s.block AS b")" '1|0'
}
ok "pairs of several files have the addresses of each file" addresses
found_at() {
    query :memory: "SELECT value ->> '\$.lifetimes[0].found'
        FROM json_each(CAST(readfile('report.json') AS TEXT), '\$.by_scope')
        WHERE value ->> 'scope' = '$1'"
}
scored() {
    run covcheck --format=json --lifetime=1024 --min-weight=0 --min-share=0 \
        deps.db k.db >report.json &&
        [ "$(found_at program)" -gt "$(found_at object)" ]
}
ok "covcheck scores pairs between two files" scored
workers() {
    for jobs in 1 2; do
        run staticdeps --scope=program --jobs=$jobs -o $jobs.db ./bench \
            one.so || return
        query $jobs.db .dump >$jobs.sql
    done
    diff 1.sql 2.sql
}
ok "pairs of two files do not depend on --jobs" workers
in_text() {
    run staticdeps --scope=program --format=text ./bench one.so >text &&
        grep -q ' program .*from set .* of ./bench' text
}
ok "--format=text names the other file of a pair" in_text
in_json() {
    run staticdeps --scope=program --format=json ./bench one.so >json &&
        query :memory: "SELECT count(*) FROM
            json_tree(CAST(readfile('json') AS TEXT))
            WHERE key = 'src_file' AND value = './bench'" >got &&
        [ "$(cat got)" -gt 0 ]
}
ok "--format=json names the file of each end" in_json

# AArch64 programs are not run here, so depsim cannot tell the truth.
aarch64() {
    mkdir -p a64 &&
        aarch64-linux-gnu-gcc -O1 -fPIC -shared -Wl,-soname,one.so \
            -o a64/one.so one.c &&
        aarch64-linux-gnu-gcc -O1 -o a64/bench bench.c a64/one.so &&
        run staticdeps --scope=program -o a64.db a64/bench a64/one.so &&
        predicted a64.db >predicted &&
        grep -q 'bench:set one.so:one' predicted &&
        grep -q 'one.so:one bench:get' predicted
}
needs aarch64-linux-gnu-gcc "an AArch64 call is followed into a library" aarch64

# --- Which definition is called ---

cat >two.c <<'END'
int hook(int *p) { *p = 5; return 0; }
__attribute__((visibility("protected"))) int kept(int *p)
{
    *p = 6;
    return 0;
}
int ask(int *p) { hook(p); return *p; }
int keep(int *p) { kept(p); return *p; }
END
cat >bench.c <<'END'
int ask(int *), keep(int *);
int hook(int *p) { *p = 7; return 0; }
int kept(int *p) { *p = 8; return 0; }
int main(void)
{
    int n, m;
    return (hook(&n), kept(&m), ask(&n) + keep(&m)) != EXPECTED;
}
END
definitions() {
    expected=$1
    shift
    library two -fno-inline "$@" &&
        program -DEXPECTED="$expected" -rdynamic two.so &&
        analyse ./bench two.so
}
ok "an executable that replaces a library's function is analysed" definitions 13
ok "a library calls the function of the executable that replaces its own" \
    has yes 'bench:hook two.so:ask'
ok "a library does not call its own function that is replaced" has no 'two.so:hook two.so:ask'
ok "a library calls its own function if that is protected" has yes 'two.so:kept two.so:keep'
ok "a library that is linked with -Bsymbolic is analysed" definitions 11 -Wl,-Bsymbolic
ok "a library linked with -Bsymbolic calls its own function" has yes 'two.so:hook two.so:ask'
ok "a library linked with -Bsymbolic does not call the executable's" \
    has no 'bench:hook two.so:ask'

for name in first second; do
    echo 'int which(int *p) { *p = 1; return 0; }' >$name.c
    library $name
done
cat >bench.c <<'END'
int which(int *);
__attribute__((noinline)) int get(const int *p) { return *p; }
int main(void) { int n; return (which(&n), get(&n)) != 1; }
END
order() {
    program -Wl,--no-as-needed second.so first.so &&
        analyse ./bench first.so second.so
}
ok "a program with two libraries that define a function is analysed" order
ok "the library that is loaded first defines the function" has yes 'second.so:which bench:get'
ok "the library that is loaded second does not define the function" \
    has no 'first.so:which bench:get'

cat >versions.c <<'END'
__asm__(".symver old_put, put@V1");
__asm__(".symver new_put, put@@V2");
__attribute__((noinline)) static int put_1(int *p) { *p = 1; return 0; }
__attribute__((noinline)) static int put_2(int *p) { *p = 2; return 0; }
int old_put(int *p) { return put_1(p) + 1; }
int new_put(int *p) { return put_2(p) + 1; }
END
cat >versions.map <<'END'
V1 { global: put; local: *; };
V2 { global: put; } V1;
END
cat >bench.c <<'END'
int put(int *), former(int *);
__asm__(".symver former, put@V1");
__attribute__((noinline)) int by_old(int *p) { former(p); return *p; }
__attribute__((noinline)) int by_new(int *p) { put(p); return *p; }
int main(void) { int n, m; return by_old(&n) + by_new(&m) != 3; }
END
versions() {
    library versions -Wl,--version-script=versions.map && program versions.so &&
        analyse ./bench versions.so
}
ok "a program that calls two versions of a symbol is analysed" versions
ok "a call without a version goes to the default version" \
    has yes 'versions.so:put_2 bench:by_new'
ok "a call of a hidden version goes to that version" has yes 'versions.so:put_1 bench:by_old'
ok "a call of a hidden version does not go to the default version" \
    has no 'versions.so:put_2 bench:by_old'

# --- Data and pointers ---

cat >data.c <<'END'
int shared = 1;
int *where = &shared;
int bump(void) { return ++shared; }
int bump_there(void) { return ++*where; }
int (*const table[])(void) = {bump, bump_there};
END
cat >bench.c <<'END'
extern int shared, *where, (*const table[])(void);
__attribute__((noinline)) void set(int n) { shared = n; }
__attribute__((noinline)) int get(void) { return shared; }
__attribute__((noinline)) int there(void) { return *where; }
__attribute__((noinline)) int call(void)
{
    set(3);
    return table[0]() + get() + there() + table[1]();
}
int main(void) { return call() != 17; }
END
data() {
    program "$@" data.so && analyse ./bench data.so &&
        has yes 'bench:set data.so:bump' && has yes 'data.so:bump bench:get' &&
        has yes 'data.so:bump bench:there' &&
        has yes 'data.so:bump data.so:bump_there'
}
library data
ok "a library's data that are copied into the executable are one place" data -no-pie -fno-pie
ok "a library's data that are not copied are one place" data -fPIC

# --- IFUNCs ---

cat >chosen.c <<'END'
static int slow(int *p) { *p = 1; return 0; }
static int fast(int *p) { *p = 2; return 0; }
static int (*resolve(void))(int *)
{
    return __builtin_cpu_supports("sse2") ? fast : slow;
}
int choose(int *p) __attribute__((ifunc("resolve")));
END
cat >bench.c <<'END'
int choose(int *);
__attribute__((noinline)) int get(const int *p) { return *p; }
int main(void) { int n; return (choose(&n), get(&n)) != 2; }
END
ifunc() {
    library chosen && program chosen.so && analyse ./bench chosen.so &&
        has yes 'chosen.so:fast bench:get'
}

# sixteen TEXT: prints it sixteen times, with # replaced by the number.
sixteen() {
    seq 16 | while read -r i; do
        echo "$1" | sed "s/#/$i/g"
    done
}
# A function whose walks show nothing new has few of them; they must not all choose the
# same function.
both() {
    sixteen 'static void slow#(int *p) { *p = #; }
        static void fast#(int *p) { *p = -#; }
        static void (*resolve#(void))(int *)
        { return __builtin_cpu_supports("sse2") ? fast# : slow#; }
        void choose#(int *p) __attribute__((ifunc("resolve#")));' >chosen.c
    sixteen 'void choose#(int *);
        int user#(void) { int n; choose#(&n); return n; }' >users.c
    library chosen && library users -L. chosen.so &&
        run staticdeps --scope=program -o k.db users.so chosen.so &&
        predicted k.db >predicted &&
        sixteen 'chosen.so:fast# users.so:user#
            chosen.so:slow# users.so:user#' | sed 's/^ *//' | sort >all &&
        grep ' users.so:user' predicted | grep chosen.so: | sort | diff all -
}
if [ "$(uname -m)" = x86_64 ]; then
    ok "a call of an IFUNC goes to what its resolver chooses" ifunc
    ok "calls of 16 IFUNCs go to all that their resolvers can choose" both
else
    skip "a call of an IFUNC goes to what its resolver chooses" "needs x86-64"
    skip "calls of 16 IFUNCs go to all that their resolvers can choose" "needs x86-64"
fi

# --- What never returns ---

cat >never.c <<'END'
#include <stdlib.h>
void give_up(void) { exit(1); }
END
cat >bench.c <<'END'
void give_up(void);
__attribute__((noinline)) int get(const int *p) { return *p; }
__attribute__((noinline)) int fail(int *p)
{
    *p = 1;
    give_up();
    return get(p);
}
int main(int argc, char **argv)
{
    int n = 0;
    (void)argv;
    return argc > 1 ? fail(&n) : get(&n);
}
END
never() {
    library never && program never.so &&
        analyse --without=middle ./bench never.so &&
        has no 'bench:fail bench:get'
}
ok "code after a library's function that never returns is not reached" never

# --- A second executable ---

echo 'int main(void) { return 0; }' >bench.c
program && mv bench other
echo 'int x; int main(void) { return x; }' >bench.c
program
two_programs() {
    run staticdeps --scope=program -o k.db bench other one.so 2>err &&
        equal "$(query k.db "SELECT count(*) FROM object")" 3 &&
        grep -q 'other: not part of the program' err
}
ok "a second executable is analysed alone" two_programs

end_of_cases
