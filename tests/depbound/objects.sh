#!/bin/sh
# depbound: a program and the libraries that it runs in one report.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# Each has most of its time in a chain through memory: the program's in add(), the
# library's in count(), and in a function without a symbol that part() calls.
cat >program.c <<'END'
long count(long n), part(long n);
volatile long sum;
static __attribute__((noinline)) void add(long n)
{
    for (long i = 0; i < n; i++)
        sum += i;
}
int main(void)
{
    long all = 0;
    add(100000);
    for (int i = 0; i < 100; i++)
        all += count(1000) + part(500);
    return all < 0;
}
END
cat >library.c <<'END'
static volatile long counted, bare;
long count(long n)
{
    for (long i = 0; i < n; i++)
        counted += i;
    return counted;
}
static __attribute__((noinline)) long hidden(long n)
{
    for (long i = 0; i < n; i++)
        bare += i;
    return bare;
}
long part(long n)
{
    return hidden(n) + 1;
}
END
build() {
    "$compiler" -O1 -g -shared -fPIC -o libkept.so library.c && cp libkept.so libpart.so &&
        strip -g -x libpart.so &&
        "$compiler" -O1 -g -o program program.c -L. -lpart "-Wl,-rpath,$tmp" &&
        records deps.db --windows=400:2000 ./program
}
ok "a program and a stripped library are built and recorded" build
objects() {
    holds '([.loops[].object | sub(".*/"; "")] | unique) == ["libpart.so", "program"] and
        (.program.functions | map(select(.share > 10))) as $hot |
        ([$hot[] | .function | sub("0x.*"; "")] | sort) == ["add", "count", "libpart.so+"] and
        ([$hot[].share] | add) > 85 and all($hot[]; .share > 15)' program deps.db
}
ok "loops and functions of a program and its library have shares of one whole" objects
ok "callers have shares, through the linker's stubs" holds '
    [.program.functions[] | select(.share > 10 and .function != null) |
        [.function[:5], .callers[].function]] as $of |
    ([["count", "main"], ["libpa", "part"]] - $of) == []' program deps.db
text() {
    tells '^ *[0-9.]*%.* libpart.so  *libpart.so+0x[0-9a-f]*  *part 100%$' program deps.db &&
        has '^ .* libpart.so  count  0x[0-9a-f]*$' '^ .* program  *add  program.c:6$'
}
ok "text has the object of each row" text
chosen() {
    holds '[.loops[].function] == ["count"] and .windows.function == "count" and
        .program.functions[0].share < 60' --function=count program deps.db &&
        holds '([.loops[].object | sub(".*/"; "")] | unique) == ["libpart.so"] and
            .options.objects == "libp*"' '--objects=libp*' program deps.db &&
        holds '[.loops[].function] == ["add"]' --objects=main program deps.db &&
        tells '^libp\*,main has [0-9.]*% of these cycles' '--objects=libp*' --objects=main \
            program deps.db
}
ok "a function of a library, and files, can be chosen" chosen
ok "a name that no file has is refused" says \
    "depbound: --objects=libq*: no analysed file has this name" '--objects=libq*' program deps.db
ok "a source line chooses the loops that have it" holds \
    '[.loops[].function] == ["add"]' --source=program.c:6 program deps.db
no_line() {
    ends 0 "$cpu" --llvm-mca=none --source=program.c:9 program deps.db && equal "$(cat err)" \
        "depbound: --source=program.c:9: no loop that is shown has such a line"
}
ok "a line that no loop has is said to be none" no_line
ok "a library alone has the loops of it alone" holds '
    ([.loops[].object | sub(".*/"; "")] | unique) == ["libpart.so"] and .program.functions[0].share < 60' \
    libpart.so deps.db
ok "JSON of a program and of its library is of the schema" of_schema program deps.db
changed() {
    mv libpart.so was.so && "$compiler" -O2 -shared -fPIC -o libpart.so library.c &&
        ends 0 "$cpu" --llvm-mca=none program deps.db &&
        grep -q "^depbound: $tmp/libpart.so: not the file that was recorded: .*; not $(
            )analysed: [0-9.]* % of what ran is in it$" err && has '^1 loop with' &&
        rm libpart.so && ends 0 "$cpu" --llvm-mca=none program deps.db &&
        grep -q "^depbound: $tmp/libpart.so: No such file.*; not analysed: " err
}
ok "a library that changed or is missing is said to be not analysed" changed
end_of_cases
