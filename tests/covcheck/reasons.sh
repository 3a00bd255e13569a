#!/bin/sh
# Why walks miss what they miss: a program with a dependency for each reason, from
# the code to the report.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

# A library that staticdeps does not analyse.
cat >hidden.c <<'END'
void call(void (*f)(void));
void (*pick(void (*f)(void)))(void);
long *place(void);
long x[64];
void call(void (*f)(void))
{
    f();
}
void (*pick(void (*f)(void)))(void)
{
    return f;
}
long *place(void)
{
    return x;
}
END
cat >seen.c <<'END'
#define ALONE static __attribute__((noinline, noclone))
void call(void (*f)(void));
void (*pick(void (*f)(void)))(void);
long *place(void);
volatile long a, b, sink;
double eight = 8;

ALONE void pointed_load(void)
{
    sink = a;
}
ALONE void pointed_store(long n)
{
    a = n;
    pick(pointed_load)();
}

ALONE void called_load(void)
{
    sink = b;
}
ALONE void called_store(long n)
{
    b = n;
    call(called_load);
}

ALONE void unrelated(volatile long *p, volatile long *q)
{
    *p = 1;
    sink = *q;
}

ALONE void indexed(volatile long *count, volatile unsigned *index, long n)
{
    for (long i = 0; i < n; i++)
        count[index[i]]++;
}

ALONE void converted(volatile long *p, volatile double *d)
{
    char *base = (char *)p;

    *(volatile long *)(base + (long)*d) = 1;
    sink = *(volatile long *)(base + (long)*d);
}

int main(int argc, char **argv)
{
    static unsigned zeroes[64];

    (void)argv;
    for (long i = 0; i < 500; i++) {
        pointed_store(argc + 2 * i);
        called_store(argc);
        unrelated(place(), place());
        indexed(place(), zeroes, 50);
        converted(place(), &eight);
    }
    return sink == 77;
}
END
$CC -O1 -g -shared -fPIC -o libhidden.so hidden.c
$CC -O1 -g -fno-tree-vectorize -o seen seen.c -L. -lhidden -Wl,-rpath,"$PWD"
ok "the program of reasons is recorded" run valgrind -q --tool=depsim --objects=main ./seen
ok "the program of reasons is analysed by walks" run staticdeps --scope=program ./seen

# is_reason REASON STORE LOAD: is that why the heaviest dependency from a function to
# another was missed?
is_reason() {
    report_in_json --missed=all --lifetime=inf && is "$1" ask "SELECT value ->> 'reason'
        FROM r, json_each(r, '\$.missed_dependencies')
        WHERE value ->> 'function' = '$2' AND value ->> 'dst_function' = '$3'
        ORDER BY value ->> 'occurrences' DESC LIMIT 1"
}
while IFS='|' read -r what reason store load <&3; do
    ok "$what" is_reason "$reason" "$store" "$load"
done 3<<'END'
a miss after an unresolved indirect call has that reason|unresolved-call|pointed_store|pointed_load
a miss in a callee that no walk entered has that reason|call-not-entered|called_store|called_load
a miss of unrelated pointers has that reason|different-bases|unrelated|unrelated
a miss at a data-dependent address has that reason|data-dependent|unrelated|indexed
a miss at an undecided address has that reason|unknown-address|converted|converted
a dependency that is found has no reason for a miss||indexed|indexed
END
run staticdeps --scope=program --support=100 ./seen
ok "a miss below the support asked for has that reason" is_reason below-support indexed indexed

# counts: decodes the list of each block's walks.  It has as many walks as the
# column "walks" says.
counts() {
    sqlite3 static.db "SELECT block_id, walks, hex((SELECT walks FROM coming AS c
            WHERE c.block_id = block.block_id)) FROM block" >rows
    python3 - rows <<'END'
import sys
for row in open(sys.argv[1]):
    block, walks, text = row.rstrip("\n").split("|")
    numbers, number, shift = [], 0, 0
    for byte in bytes.fromhex(text):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    n = sum(more + 1 for more in numbers[1::2])
    assert n == int(walks) and len(numbers) % 2 == 0, row
END
}
ok "the list of a block's walks has as many as the block counts" counts
numbers_apart() {
    run staticdeps --scope=function -o two.db ./seen libhidden.so &&
        [ "$(sqlite3 two.db "SELECT count(*) FROM block AS a JOIN coming AS x
                USING(block_id), block AS b JOIN coming AS y
                ON y.block_id = b.block_id
            WHERE a.object_id < b.object_id
                AND substr(hex(x.walks), 1, 6) = substr(hex(y.walks), 1, 6)")" \
            -eq 0 ]
}
ok "two objects that are walked apart have different walks" numbers_apart
same_rows() {
    for jobs in 1 3; do
        run staticdeps --scope=program --jobs=$jobs -o jobs$jobs.db ./seen ||
            return
        for table in weak coming access call; do
            sqlite3 jobs$jobs.db ".mode quote" "SELECT * FROM $table"
        done >rows$jobs
    done
    [ -s rows1 ] && cmp rows1 rows3
}
ok "numbers of walks do not depend on --jobs" same_rows

end_of_cases
