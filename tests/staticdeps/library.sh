#!/bin/sh
# What functions that are not in the files do, as the table of libraries says:
# pairs of functions around calls of the C library, against what depsim observes.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

LD_LIBRARY_PATH=$tmp
export LD_LIBRARY_PATH

# about CODE [OPTION...]: a program whose functions set() and get() write and read
# an int, and whose test() is CODE; and its pairs.
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

# pairs WHAT yes|no CODE [PAIR]: and the opposite without the table.
pairs() {
    what=$1 answer=$2 code=$3 pair=${4:-bench:set bench:get}
    ok "$what" about "$code"
    ok "... as it happens" has "$answer" "$pair"
    ok "... which the table knows" differs "$answer" "$pair" --without=library
}
# differs yes|no PAIR OPTION: is it not so with another option?
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
pairs "so does what has no size" no \
    'set(place); sprintf((char *)place, "%d", 12345); get(place);'
ok "memset ends where it ends" about \
    'set(place + 2); memset(place, 0, 8); get(place + 2);'
ok "... and what is behind it stays" has yes 'bench:set bench:get'
pairs "memcpy takes pointers along" yes \
    'static int *from[2], *to[2]; from[1] = place; place[0] = 3;
    memcpy(to, from, sizeof to); set_there(&to[1]); get(place);' \
    'bench:set_there bench:get'
pairs "memset leaves what it says" no \
    'memset(place, 0, sizeof place);
    if (place[5] != 0) set(place + 9);
    get(place + 9);'

# --- What is returned ---

pairs "malloc does not fail" no \
    'if (malloc(9) == NULL) set(place); get(place);'
pairs "strcpy returns its first argument" yes \
    'set((int *)strcpy((char *)place, "") + 9); get(place + 9);'
pairs "errno is always the same" yes 'set(last()); get(last());'

# --- What is called, and what never comes back ---

pairs "qsort calls its fourth argument" yes \
    'set(place); set(place + 1); qsort(place, 2, sizeof *place, compare);' \
    'bench:set bench:compare'
pairs "atexit its first" yes 'set(place); atexit(handle);'
ok "what never comes back" about \
    'set(place); leave(0); get(place);'
ok "... does not" has no 'bench:set bench:get'

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
ok "an object file's calls, too" in_an_object_file

# --- A table of the user's ---

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
ok "a function of the user's table" about_one --library-table=table
ok "... which the built-in one does not have" differs no \
    'bench:set bench:get' --seed=1
ok "the table is in the database" equal "$(query k.db "SELECT count(*)
    FROM analysis WHERE key = 'library_table'")" 0
named() {
    run staticdeps --scope=program --library-table=table -o k.db ./bench &&
        equal "$(query k.db "SELECT value FROM analysis
            WHERE key = 'library_table'")" table
}
ok "... if there is one" named
echo 'memset unknown' >table
ok "memset" about 'set(place); memset(place, 2, 8); get(place);'
ok "... can be taken out" differs no 'bench:set bench:get' \
    --library-table=table
printf 'memset unknown\nmemset writes(1,3)\n' >table
ok "the last line of a name counts" differs yes 'bench:set bench:get' \
    --library-table=table

# refused WHAT LINE
refused() {
    printf '# one\n\nf writes(1)\n%s\n' "$2" >bad
    ok "refused: $1" refuses staticdeps "bad:4" staticdeps --scope=program \
        --library-table=bad -o k.db ./bench
}
refused "a clause" 'f reads(1)'
refused "an argument 0" 'f writes(0)'
refused "an argument 9" 'f writes(9)'
refused "no argument" 'f writes'
refused "no end" 'f writes(1'
refused "too many terms" 'f returns(1,2)'
refused "too few" 'f copies(1,2)'
refused "a word" 'f returns(old)'
refused "a huge number" 'f returns(#99999999999999999999)'
refused "too many effects" \
    'f writes(1) writes(2) writes(3) writes(4) writes(5)'
ok "refused: no file" refuses staticdeps nowhere staticdeps --scope=program \
    --library-table=nowhere -o k.db ./bench
ok "refused: a directory" refuses staticdeps /tmp staticdeps --scope=program \
    --library-table=/tmp -o k.db ./bench

end_of_cases
