#!/bin/sh
# staticdeps --format=dep: the pairs as two addresses a line, as other tools read them.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

# pairs OPTION...: prints the pairs without comments, and writes the database d.db.
pairs() {
    run staticdeps --format=dep -o d.db "$@" >all || return
    head -n 1 all | grep -qx '# store load' || { cat all; return 1; }
    grep -v '^#' all
}
# rows TEXT: the database's pairs; TEXT is SQL for what precedes an address.
rows() {
    query d.db "SELECT DISTINCT $1 printf('%x', src) || ' ' || $1 printf('%x', dst)
        FROM dep ORDER BY src, dst"
}
# as_rows OPTION...: are the printed pairs of one file those of the database?
as_rows() {
    pairs "$@" >printed && rows '' >expected && [ -s expected ] &&
        diff expected printed
}

# A store that is read at once and in the next iteration, in a block that repeats.
cat >kernel.c <<'END'
int get(const int *p) { return *p; }
int sum(int *p, int n)
{
    int s = 0;
    while (n-- > 0) {
        p[n + 1] = p[n] + get(p + n);
        s += p[n + 1];
    }
    return s;
}
int main(int argc, char **argv)
{
    int a[8] = {argc};
    (void)argv;
    return sum(a, 7) == 0;
}
END
compile() { "$compiler" -O1 -fno-inline "$@"; }
ok "the executable for --format=dep is built" compile -o kernel kernel.c
for scope in function program; do
    ok "--scope=$scope of an executable: --format=dep is the database" \
        as_rows --scope=$scope kernel
done
twice() {
    [ "$(query d.db 'SELECT count(*) > count(DISTINCT src || dst) FROM dep')" -eq 1 ]
}
cat >twice.s <<'END'
        .globl  f
        .type   f, @function
f:      movl    $1, (%rdi)
        movl    (%rdi), %eax
        jmp     f
        .size   f, . - f
        .globl  g
        .type   g, @function
g:      movl    (%rdi), %eax
        movl    (%rdi,%rsi), %eax
        movl    %eax, 4(%rdi)
        addq    $4, %rdi
        jmp     g
        .size   g, . - g
END
ok "the object file for --format=dep is built" "$compiler" -c -o twice.o twice.s
for scope in block loop; do
    ok "--scope=$scope of an object file: --format=dep is the database" \
        as_rows --scope=$scope twice.o
done
# at FILE PATTERN: the address of the first such instruction in objdump's listing.
at() {
    objdump -d "$1" | sed -n "s/^ *\\([0-9a-f]*\\):.*$2.*/\\1/p" | head -n 1
}
as_objdump() {
    pairs twice.o >printed
    grep -x "$(at twice.o 'movl *\$0x1,(%rdi)') $(at twice.o 'mov *(%rdi),%eax')" \
        printed && grep -x "$(at twice.o 'mov *%eax,0x4(%rdi)') $(
        objdump -d twice.o | sed '1,/<g>:/d' |
            sed -n 's/^ *\([0-9a-f]*\):.*mov *(%rdi),%eax.*/\1/p')" printed
}
ok "--format=dep has the addresses that objdump prints" as_objdump
file() {
    sed -n 2p all | grep -x "# twice.o (build-id $(
        query d.db 'SELECT build_id FROM object'))"
}
ok "--format=dep begins with the file's name and build-id" file
once() {
    pairs --region=0-0x8 --region=0-0x8 twice.o >printed &&
        twice && [ "$(sort printed | uniq -d | wc -l)" -eq 0 ] && [ -s printed ]
}
ok "--format=dep has each pair once" once

# --- Several files ---

cp twice.o 'a #b.o'
# An object file with the same code and another build-id.
"$compiler" -c -Wa,--defsym,x=1 -g -o other.o twice.s
ar rcs lib.a twice.o other.o
several() {
    pairs other.o 'a #b.o' >printed &&
        [ "$(cut -d : -f 1 printed | sort -u | tr '\n' ' ')" = \
            'a\x20\x23b.o other.o ' ] &&
        [ "$(awk 'NF != 2' printed | wc -l)" -eq 0 ]
}
ok "--format=dep of several files has a file's name at each address" several
members() {
    pairs lib.a >printed && [ "$(sed 's/:[0-9a-f]*//g' printed | sort -u |
        tr '\n' ' ')" = 'lib.a(other.o) lib.a(other.o) lib.a(twice.o) lib.a(twice.o) ' ]
}
ok "--format=dep names the members of a static library" members
cat >one.c <<'END'
int one(int *p) { return ++*p; }
END
cat >bench.c <<'END'
int one(int *);
__attribute__((noinline)) int set(int *p) { *p = 1; return one(p); }
int main(void)
{
    int n;
    return set(&n) != 2;
}
END
across() {
    library one && program one.so && pairs --scope=program ./bench one.so >printed &&
        grep -q '^\./bench:[0-9a-f]* one\.so:[0-9a-f]*$' printed &&
        query d.db "SELECT o.path || ':' || printf('%x', src) || ' ' || p.path ||
                ':' || printf('%x', dst)
            FROM dep JOIN block AS a ON a.block_id = src_block
                JOIN block AS b ON b.block_id = dst_block
                JOIN object AS o ON o.object_id = a.object_id
                JOIN object AS p ON p.object_id = b.object_id
            ORDER BY p.object_id, o.path, src, dst" | diff - printed
}
ok "--format=dep names both files of a pair, in order" across

# --- Lines of --hex ---

printf '890a8b02\n\nzz\n90890a8b02\n' >lines
ok "--format=dep of --hex has the line in each address" \
    equal "$(pairs --hex=lines | tr '\n' ' ')" '1:0 1:2 4:1 4:3 '

# --- What does not change, and what is not written ---

stable() {
    for jobs in 1 2 3; do
        run staticdeps --scope=program --format=dep --jobs=$jobs ./bench one.so \
            >$jobs.dep || return
    done
    cmp 1.dep 2.dep && cmp 1.dep 3.dep
}
ok "--format=dep prints the same lines for any --jobs" stable
ok "--format=dep writes no database without -o" [ ! -e static.db ]
nothing() {
    status=0
    run staticdeps --format=dep kernel missing >out 2>err || status=$?
    [ "$status" -eq 2 ] && [ ! -s out ]
}
ok "--format=dep prints nothing if a file is missing" nothing

# --- What covcheck counts ---

# counts: without weights and bounds covcheck's found and missed are what comm(1) finds
# in the two lists.
counts() {
    run valgrind -q --tool=depsim --deps-file=r.db ./kernel &&
        pairs --scope=program kernel | sort >predicted &&
        query r.db "ATTACH 'd.db' AS s; SELECT DISTINCT printf('%x %x', src, dst)
            FROM main.dep JOIN main.object AS o ON o.object_id = src_object
            WHERE src_object = dst_object
                AND o.build_id IN (SELECT build_id FROM s.object)" |
        sort >observed &&
        run covcheck --format=json --scope=object --lifetime=inf --min-share=0 \
            r.db d.db >report.json &&
        jq -r '.lifetimes[0].found, .lifetimes[0].missed, .predictions.occurred' \
            report.json >got &&
        { comm -12 observed predicted | wc -l; comm -23 observed predicted | wc -l
          comm -12 observed predicted | wc -l; } | diff - got
}
needs jq "covcheck without bounds and weights compares two lists of pairs" counts
end_of_cases
