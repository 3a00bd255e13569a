#!/bin/sh
# What depsim's options choose to record, and that they are documented.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"
CXX=${CXX:-c++}

# warns LINE COMMAND...: is this line all that the command prints?
warns() {
    line=$1
    shift
    "$@" 2>said
    is "$line" cat said
}

### --objects.

cat >library.c <<'END'
void library_store(volatile long *p)
{
    *p = 2;
}
long library_load(volatile long *p)
{
    return *p;
}
END
cat >main.c <<'END'
#include <string.h>
#include <sys/mman.h>
void library_store(volatile long *);
long library_load(volatile long *);
#define FUNCTION __attribute__((noipa)) static
FUNCTION void store(volatile long *p)
{
    *p = 1;
}
FUNCTION void store_hidden(volatile long *p)
{
    *p = 1;
}
FUNCTION long load(volatile long *p)
{
    return *p;
}
FUNCTION long load_hidden(volatile long *p)
{
    return *p;
}
int main(void)
{
    /* mov %rdi,(%rdi); mov (%rdi),%rax; ret */
    static const char code[] = "\x48\x89\x3f\x48\x8b\x07\xc3";
    volatile long x, y, z;
    void *anonymous = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memcpy(anonymous, code, sizeof code);
    store(&x);
    load(&x);
    library_load(&x);
    store_hidden(&y);
    library_store(&y);
    load_hidden(&y);
    library_load(&y);
    ((void (*)(volatile long *))anonymous)(&z);
    load(&z);
    return 0;
}
END
"$CC" -O1 -shared -fPIC -o libstore.so library.c
"$CC" -O1 -o main-program main.c ./libstore.so
ln -s main-program called-otherwise
printf '#!%s/main-program\n' "$PWD" >script
chmod +x script

# between [CONDITION]: between which of the program, the library and code without a
# file there are dependencies.
between() {
    sql -separator ' ' deps.db "
        CREATE TEMP VIEW name AS SELECT object_id, CASE
            WHEN path LIKE '%/main-program' THEN 'main'
            WHEN path LIKE '%/libstore.so' THEN 'library'
            WHEN path = '[anonymous]' THEN 'none' END AS name FROM object;
        SELECT s.name, d.name FROM dep
        JOIN name s ON s.object_id = src_object
        JOIN name d ON d.object_id = dst_object
        WHERE s.name NOTNULL AND d.name NOTNULL GROUP BY 1, 2 ORDER BY 1, 2"
}
# of_store STORE LOAD: how many dependencies are there between these functions
# of the main program?
of_store() {
    { symbols main-program; echo "
        SELECT count(*) FROM named WHERE store = '$1' AND load = '$2'"
    } | sql deps.db
}
executed() {
    sql deps.db "SELECT count(*), sum(executions) FROM segment"
}

depsim ./main-program
ok "without --objects all dependencies are recorded" is "library library
library main
main library
main main
main none
none main
none none" between
ok "without --objects the load depends on the program's own store" is 1 of_store store load
ok "without --objects a library's store hides the program's" \
    is 0 of_store store_hidden load_hidden
executed >executed-before
depsim --objects=main ./main-program
ok "--objects=main records only the executable" is "main main" between
ok "--objects=main records each dependency of the executable" is 1 of_store store load
ok "with --objects=main a library's store still hides the program's" is 0 \
    of_store store_hidden load_hidden
executed >executed-after
ok "--objects does not change the counts of executions" diff executed-before executed-after
ok "--objects=main records no dependency of another object" \
    is 0 sql deps.db "SELECT count(*) FROM dep
    WHERE src_object NOT IN (SELECT object_id FROM object
                             WHERE path LIKE '%/main-program') OR
          src_object != dst_object"
for program in ./called-otherwise ./script; do
    depsim --objects=main $program
    ok "--objects=main records only the executable of $program" is "main main" between
done
for pattern in libstore.so 'lib?tore*' "$PWD/libstore.so" '/*/libstore.so'; do
    depsim --objects="$pattern" ./main-program
    ok "--objects=$pattern records only the library" is "library library" between
done
depsim --objects='[anonymous]' ./main-program
ok "--objects=[anonymous] records only code without a file" is "none none" between
depsim --objects=main --objects='libstore*' ./main-program
ok "several --objects add up" is "library library
library main
main library
main main" between
ok "depsim warns of --objects that matches no executed object" \
    warns "depsim: --objects=libstore: no executed object matches" \
    depsim --objects=libstore --objects=main ./main-program
ok "an --objects without a match does not change the others" is "main main" between

### --fn.

program functions -O2 -pthread
# counts OPTION...: how often each labelled instruction was recorded, and how
# often it read what it had written itself.
counts() {
    depsim "$@" ./functions
    { symbols functions; echo "
        SELECT name,
            (SELECT total(executions) FROM segment
             WHERE start <= address AND address < segment.end AND
                   object_id = (SELECT object_id FROM object
                                WHERE path LIKE '%/functions')),
            (SELECT total(occurrences) FROM dep
             WHERE src = address AND dst = address AND
                   src_object = (SELECT object_id FROM object
                                 WHERE path LIKE '%/functions'))
        FROM symbol WHERE name GLOB 'in_*' OR name GLOB 'out_*'
        ORDER BY name"; } | sql deps.db
}
counts >all
counts --fn='kernel_*' >confined
ok "the program for --fn executes all of its functions" \
    sh -c '[ $(wc -l <all) -ge 39 ] && ! grep "|0\.0|" all'
while IFS='|' read -r name executions occurrences; do
    case $name in
    in_*) expected="$name|$executions|$occurrences" ;;
    out_*) expected="$name|0.0|0.0" ;;
    esac
    ok "--fn counts $name inside, or not outside, of its functions" \
        grep -F -x "$expected" confined
done <all
counts --fn=kernel_tail --fn='kernel_in_*' >several
ok "several --fn add up" is "in_tail in_thread" \
    sh -c "grep -v '|0\\.0|' several | cut -d '|' -f 1 |
           grep -x -e in_tail -e in_thread -e in_jumper | paste -s -d ' '"
depsim --record-from-start=no --fn='kernel_*' ./functions
ok "--fn records nothing before DEPSIM_START" is "0 0" sql -separator ' ' \
    deps.db "SELECT (SELECT count(*) FROM segment), (SELECT count(*) FROM dep)"

strip -o stripped functions
rm deps.db # its runs are of another program
nameless() {
    depsim --fn=main ./stripped 2>said
    cat said
    grep -q '^depsim: --fn=main: no symbol has this name; the nearest is ' said
}
ok "depsim warns of --fn for a stripped file" nameless

cat >throw.cc <<'END'
struct solver {
    __attribute__((noipa)) void step(long *x, int depth)
    {
        *x += depth;
        if (depth == 0)
            throw 1;
        step(x, depth - 1);
        *x = 0;
    }
};
__attribute__((noipa)) void count(volatile long *x)
{
    ++*x;
}
__attribute__((noipa)) void idle(int)
{
}
int main()
{
    solver s;
    long caught = 0, outside = 0;
    for (int i = 0; i < 10; i++) {
        try {
            s.step(&caught, 4);
        } catch (int) {
            count(&outside);
        }
    }
    return outside == 10 ? 0 : 1;
}
END
# executions FUNCTION: how often its first instruction was executed.
executions() {
    { symbols throw; echo "
        SELECT total(executions) FROM segment, symbol WHERE name = '$1' AND
        start <= address AND address < segment.end AND
        object_id = (SELECT object_id FROM object WHERE path LIKE '%/throw')"
    } | sql deps.db
}
if command -v "$CXX" >/dev/null; then
    "$CXX" -O1 -o throw throw.cc
    depsim --fn='solver::step(*' ./throw
    ok "--fn matches demangled C++ names with parameters" is 50.0 \
        executions _ZN6solver4stepEPli
    ok "an exception leaves the function of --fn" is 0.0 executions _Z5countPVl
    ok "depsim warns of --fn for a function that is not entered" \
        warns "depsim: --fn=idle: no such function was entered" \
        depsim --fn=idle --fn=main ./throw
    ok "depsim names the function that is nearest to one that is not there" \
        warns "depsim: --fn=solver::stop: no symbol has this name; the\
 nearest is solver::step" depsim --fn=solver::stop --fn=solver::step ./throw
fi

# Functions of C and Rust, with symbols of each form, and of assembly code, without a size
# as most assemblers write them; one has a long name.
cat >names.c <<'END'
#define NAMED(name, symbol)                                 \
    void name(volatile long *x) __asm__(symbol);            \
    __attribute__((noipa)) void name(volatile long *x)      \
    {                                                       \
        ++*x;                                               \
    }
NAMED(plain, "plain")
NAMED(v0, "_RNvCs4fqI2P2rA04_5bench6kernel")
NAMED(legacy, "_ZN5bench4loop17h0123456789abcdefE")
NAMED(repeated, LONG)
__asm__(".text\n.globl bare\nbare: nop\nbare_end: ret\nlocal: nop\nret\n");
void bare(void), local(void);
extern char etext;
__attribute__((alias("plain"))) void other(volatile long *x);
int main(void)
{
    long x = 0;
    plain(&x);
    v0(&x);
    legacy(&x);
    repeated(&x);
    bare();
    local();
    __asm__ volatile("in_main: nop");
    return x != 4 || &etext == (char *)x;
}
END
long=$(printf %0200d 0 | tr 0 a)
"$CC" -O1 -fno-ipa-icf "-DLONG=\"$long\"" -o names names.c
# recorded PATTERN: the symbols of the functions that were recorded.
recorded() {
    depsim --fn="$1" ./names
    { symbols names; echo "
        SELECT DISTINCT name FROM segment, symbol
        WHERE start <= address AND address < segment.end AND
        name IN ('main', 'plain', '$v0', '$legacy', '$long', 'bare', 'local') AND
        object_id = (SELECT object_id FROM object WHERE path LIKE '%/names')"
    } | sql deps.db
}
v0=_RNvCs4fqI2P2rA04_5bench6kernel legacy=_ZN5bench4loop17h0123456789abcdefE
while read -r pattern symbol; do
    ok "--fn=$pattern records the function $symbol" is "$symbol" \
        recorded "$pattern"
done <<END
plain plain
other plain
$v0 $v0
bench::kernel $v0
$legacy $legacy
bench::loop $legacy
be...oop $legacy
*a*a*a*a*a*a*aa*a*a $long
bare bare
b?re bare
local local
END
# The linker's symbol of the end of all code has none.
behind() {
    nm names | grep -q ' etext$' || return
    depsim --fn=etext ./names 2>said
    cat said
    grep -q '^depsim: --fn=etext: no symbol has this name' said
}
ok "--fn takes no label behind the code for a function" behind
ok "--fn takes no label in a function for one" \
    warns "depsim: --fn=in_main: no such function was entered" \
    depsim --fn=in_main ./names
# If each * had all lengths tried, with all of the others, this would not end.
stars='*a*a*a*a*a*a*a*a*a*ab'
cp names "$long"
ok "a pattern of many stars takes little time" warns \
    "depsim: --objects=$stars: no executed object matches
depsim: --fn=$stars: no such function was entered" run timeout -s KILL 100 valgrind -q \
    --tool=depsim --deps-file=stars.db --objects="$stars" --fn="$stars" "./$long"

### Client requests.

cat >request.c <<'END'
#include "depsim.h"
volatile long before, inside, between, after;
__attribute__((noipa)) void kernel(void)
{
    DEPSIM_START;
    for (int i = 0; i < 20; i++)
        inside = inside + 1;
}
int main(void)
{
    kernel();
    for (int i = 0; i < 30; i++)
        between = between + 1;
    if (between)
        DEPSIM_STOP;
    else
        DEPSIM_START;
    for (int i = 0; i < 40; i++)
        after = after + 1;
    return 0;
}
END
sed 's/noipa/noinline/' request.c >request.cc
for compiler in "$CC" "$CXX"; do
    command -v "$compiler" >/dev/null || continue
    source=request.c
    [ "$compiler" = "$CC" ] || source=request.cc
    ok "$compiler takes depsim.h without a warning" \
        "$compiler" -O1 -Wall -Wextra -Werror -I"$root/depsim" \
        -o request $source
    depsim --record-from-start=no ./request
    ok "a program of $compiler records what is between its requests" is "29 1" \
        sql -separator ' ' deps.db "SELECT max(occurrences),
            (SELECT count(*) FROM dep WHERE occurrences = 19) FROM dep"
done
"$CC" -O1 -I"$root/depsim" -o request request.c
depsim --record-from-start=no --fn=kernel ./request
ok "--fn confines what is recorded between requests" is 19 sql deps.db \
    "SELECT max(occurrences) FROM dep"

# instructions FLAG...: how many instructions the program above has with these flags.
instructions() {
    "$CC" -O1 -I"$root/depsim" "$@" -c -o request.o request.c &&
        objdump -d --no-show-raw-insn request.o | grep -c '^ .*:'
}
sed 's/#include.*//; s/DEPSIM_ST[A-Z]*;/;/' request.c >without.c
"$CC" -O1 -c -o without.o without.c
without=$(objdump -d --no-show-raw-insn without.o | grep -c '^ .*:')
ok "with NVALGRIND a client request compiles to no instruction" is "$without" \
    instructions -DNVALGRIND
ok "a client request compiles to at most 20 instructions" \
    test $(($(instructions) - without)) -le 60 -a "$(instructions)" -gt "$without"

### Bad values: one line, status 2, and nothing runs.

for option in --objects= --fn= --append= --append=y --record-from-start= \
    --objects --fn --lifetime --deps-file --inline-after=x --windows-apart=0 \
    --inline-after=18446744073709551617 --windows-apart=18446744073709551617; do
    ok "depsim refuses $option" refuses_run -- $option
done
# shows VALUE TEXT: how the message about --append=VALUE shows the value.
shows() {
    run valgrind -q --tool=depsim "--append=$(printf "$1")" true 2>err
    is "depsim: --append=$2: must be yes or no" cat err
}
ok "a message of depsim cannot control the terminal" shows '\033[31m' '?[31m'
ok "a message of depsim has no control characters of two bytes" \
    shows 'a\302\233b\303\244' 'a?bä'
# The line is printed in parts of 511 bytes, which end inside these characters.
for n in 497 498 499 501; do
    zeros=$(printf %0${n}d 0)
    ok "characters after $n others in a message of depsim stay whole" \
        shows "$zeros"'\302\233\360\237\231\202' "$zeros?🙂"
done
ok "depsim does not run the program if an option has a bad value" test ! -e has-run

### A directory that cannot be written to.

# Root may write in spite of permissions, so another user tries.
mkdir -m 555 read-only
chmod 711 .
as_somebody() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}
no_permission() {
    status=0
    (cd read-only && as_somebody "$root/scripts/run-in-tree" valgrind -q \
        --tool=depsim true) 2>said || status=$?
    [ "$status" -eq 2 ] && is "depsim: $PWD/read-only/deps.db: Permission denied" \
        cat said
}
if as_somebody test -x "$DEPSIM_BUILD/depsim/depsim-amd64-linux" -a -x "$PWD/read-only"; then
    ok "depsim names a directory without write permission" no_permission
    touch read-only/deps.db
    ok "depsim names a database in a directory without write permission" no_permission
else
    skip "depsim names a directory without write permission" \
        "the build or TMPDIR is in a directory that others cannot read"
fi
chmod 755 read-only

### --help and the man page: each option, its argument and its default.

run valgrind --tool=depsim --help >help-text
sed -n '/for depsim:/,/^ *$/p' help-text | awk '
    /^    --/ { name = $1; sub(/=.*/, "", name) }
    match($0, /\[[^[]*\]$/) {
        print name ": " substr($0, RSTART + 1, RLENGTH - 2)
    }' | sort >help
awk '/^\.It Fl -/ { name = "-" $3; text = "" }
     /^\.El/ { name = "" }
     /^\./ && !/^\.It/ { sub(/^\.[A-Z][a-z] /, "") }
     name != "" {
         text = text " " $0
         if (match(text, /[Tt]he default is .* \./)) {
             print name ": " substr(text, RSTART + 15, RLENGTH - 17)
             name = ""
         }
     }' "$root/doc/depsim.1" | sort >man
ok "--help and the man page have the same options and defaults" diff help man
ok "each option of depsim has a default" \
    is "$(sed -n '/for depsim:/,/^ *$/p' help-text | grep -c '^ *--')" \
    sh -c 'wc -l <help'

end_of_cases
