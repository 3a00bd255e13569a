#!/bin/sh
# The table of libraries says what functions outside the analysed files do.  Pairs of
# functions around calls of the C library are compared with what depsim observes.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

LD_LIBRARY_PATH=$tmp
export LD_LIBRARY_PATH

# about CODE [OPTION...]: builds a program with CODE as the body of test(), and finds
# its pairs.  Its functions set() and get() write and read an int.
about() {
    {
        cat <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define APART __attribute__((noipa))
static int place[64];
int one(int *);
void leave(int) __asm__("exit");
APART void set(int *p) { *p = 1; }
APART int get(const int *p) { return *(const volatile int *)p; }
APART void set_there(int **p) { **p = 2; }
APART int *last(void) { return &errno; }
APART int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
APART void handle(void) { get(place); }
END
        printf 'APART void test(void)\n{\n%s\n}\n' "$1"
        echo 'int main(void) { test(); return 0; }'
    } >bench.c
    shift
    program -fno-builtin -fno-stack-protector &&
        analyse --without=middle --without=flow "$@" ./bench
}

# pairs WHAT yes|no CODE [PAIR]: is the pair there or not, and the other way round
# without the table?
pairs() {
    what=$1 answer=$2 code=$3 pair=${4:-bench:set bench:get}
    ok "$what: the program is analysed" about "$code"
    ok "$what: depsim observes it, and staticdeps predicts it" has "$answer" "$pair"
    ok "$what: without the table of libraries staticdeps does not know" \
        differs "$answer" "$pair" --without=library
}
# differs yes|no PAIR OPTION: is the answer another one with this option?
differs() {
    run staticdeps --scope=program --without=middle "$3" -o k.db ./bench &&
        predicted k.db >without || return
    answer=yes
    ! grep -q -x "$2" without || answer=no
    [ $answer = "$1" ] || { cat without; return 1; }
}

# --- What is written ---

pairs "memset overwrites" no \
    'set(place); memset(place, 2, sizeof place); get(place);'
pairs "read overwrites" no \
    'set(place); read(open("/dev/zero", 0), place, 8); get(place);'
pairs "sprintf overwrites, although its size is unknown" no \
    'set(place); sprintf((char *)place, "%d", 12345); get(place);'
ok "a memset beside the place is analysed" about \
    'set(place + 2); memset(place, 0, 8); get(place + 2);'
ok "memset does not overwrite what lies after its end" has yes 'bench:set bench:get'
pairs "memcpy copies pointers" yes \
    'static int *from[2], *to[2]; from[1] = place; place[0] = 3;
    memcpy(to, from, sizeof to); set_there(&to[1]); get(place);' \
    'bench:set_there bench:get'
pairs "memset leaves zeros where it writes them" no \
    'memset(place, 0, sizeof place);
    if (place[5] != 0) set(place + 9);
    get(place + 9);'

# --- What is returned ---

pairs "malloc does not fail" no 'if (malloc(9) == NULL) set(place); get(place);'
pairs "strcpy returns its first argument" yes \
    'set((int *)strcpy((char *)place, "") + 9); get(place + 9);'
pairs "errno has one address" yes 'set(last()); get(last());'

# --- What is called, and what never comes back ---

pairs "qsort calls its fourth argument" yes \
    'set(place); set(place + 1); qsort(place, 2, sizeof *place, compare);' \
    'bench:set bench:compare'
pairs "atexit calls its first argument" yes 'set(place); atexit(handle);'
ok "a call of a function that never returns is analysed" about \
    'set(place); leave(0); get(place);'
ok "code after a function that never returns is not reached" has no 'bench:set bench:get'

# --- Object files ---

in_an_object_file() {
    about 'set(place); memset(place, 2, sizeof place); get(place);' &&
        "$compiler" -O1 -fno-builtin -c -o bench.o bench.c &&
        run staticdeps --scope=program --without=middle -o k.db bench.o &&
        predicted k.db >predicted && ! grep -q 'set .*:get' predicted &&
        run staticdeps --scope=program --without=middle --without=library \
            -o k.db bench.o &&
        predicted k.db >predicted && grep -q 'set .*:get' predicted
}
ok "the table of libraries applies to the calls of an object file" in_an_object_file

# --- The user's own table ---

cat >one.c <<'END'
int one(int *p) { *p = 7; return 0; }
END
library one
echo 'one writes(1,#4)  # an int' >table
about_one() {
    about 'set(place); one(place); get(place);' "$@" && has no \
        'bench:set bench:get'
}
program() {
    "$compiler" -O1 -o bench bench.c -L. "$@" one.so
}
ok "--library-table adds a function" about_one --library-table=table
ok "the built-in table does not have the function of --library-table" \
    differs no 'bench:set bench:get' --seed=1
holds "without --library-table the database names no table" k.db \
    "SELECT count(*) FROM analysis WHERE key = 'library_table'" 0
named() {
    run staticdeps --scope=program --library-table=table -o k.db ./bench &&
        equal "$(query k.db "SELECT value FROM analysis
            WHERE key = 'library_table'")" table
}
ok "the database names the file of --library-table" named
echo 'memset unknown' >table
ok "--library-table may say that memset is unknown" \
    about 'set(place); memset(place, 2, 8); get(place);'
ok "--library-table replaces what the built-in table says of memset" \
    differs no 'bench:set bench:get' --library-table=table
printf 'memset unknown\nmemset writes(1,3)\n' >table
ok "the last line about a function counts in a table" \
    differs yes 'bench:set bench:get' --library-table=table

# refused WHAT LINE: is a table with this line refused?
refused() {
    printf '# one\n\nf writes(1)\n%s\n' "$2" >bad
    ok "--library-table refuses $1" \
        refuses staticdeps "bad:4" staticdeps --scope=program \
        --library-table=bad -o k.db ./bench
}
refused "an unknown clause" 'f reads(1)'
refused "an argument 0" 'f writes(0)'
refused "an argument 9" 'f writes(9)'
refused "an effect without argument" 'f writes'
refused "a clause without end" 'f writes(1'
refused "too many terms" 'f returns(1,2)'
refused "too few terms" 'f copies(1,2)'
refused "an unknown word" 'f returns(old)'
refused "a huge number" 'f returns(#99999999999999999999)'
refused "too many effects" 'f writes(1) writes(2) writes(3) writes(4) writes(5)'
for path in nowhere /tmp; do
    ok "--library-table refuses $path, which is no file" refuses staticdeps "$path" \
        staticdeps --scope=program --library-table=$path -o k.db ./bench
done

end_of_cases
