#!/bin/sh
# The variable that each dependency goes through, as depbound names it, against the
# comments of programs/variables.c.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

source=$srcdir/programs/variables.c

# truth: a line "FUNCTION VARIABLE" for each loop.
truth() {
    awk '/^\/\* through: / { sub(/^[^:]*: /, ""); sub(/ \*\/$/, ""); name = $0 }
        /^NOINLINE / { sub(/^NOINLINE [a-z]* /, ""); sub(/\(.*/, ""); print $0, name }' \
        "$source"
}
truth >expected

# build NAME OPTION...: builds the program, and records a run.
build() {
    name=$1
    shift
    "$compiler" -Wl,--build-id -o "$name" "$@" "$source" &&
        records "$name.db" "./$name"
}

cpu=--cpu=skylake

# named FILE...: a line "FUNCTION VARIABLE" for each dependency of a chain or that fails
# to forward whose variable is known.
named() {
    report --format=json --top=100 "$@" >/dev/null && jq -r '.loops[] | .function as $function | (.chain[], .failed[]) |
            select(.variable != null) | "\($function) \(.variable)"' out |
        sort -u
}

# right FILE...: does depbound name no other variables than those of the truth, or than
# local ones that count, in code that is not optimised?
right() {
    named "$@" >names && grep -v '^[a-z_]* [a-z_]*(): [int]$' names >others
    sort expected >sorted
    [ -z "$(comm -13 sorted others)" ] || { cat others; return 1; }
}

# names FUNCTION... -- FILE...: does it name the variables of these functions?
names() {
    wanted=
    while [ "$1" != -- ]; do
        wanted="$wanted $1"
        shift
    done
    shift
    right "$@" || return
    for function in $wanted; do
        grep -F -x -q "$(grep "^$function " expected)" names ||
            { echo "$function"; cat names; return 1; }
    done
}

# --- What compilers make ---

# Without optimisation, an index takes as long as a sum.
plain="field pointer"
built="scalar field local pointer of_thread"
for level in 0 1 2; do
    ok "the program is built with -O$level" build "o$level" -g "-O$level"
    [ $level = 0 ] && right=$plain || right=$built
    # shellcheck disable=SC2086
    ok "depbound names only the right variables of code with -O$level" \
        names $right -- "./o$level" "o$level.db"
done
ok "depbound names elements of a global array, and members of one type" \
    names element two_pointers -- ./o2 o2.db
ok "depbound names elements of an array of a thread" names element_of_thread -- ./o2 o2.db
ok "depbound names what a pointer moves through that began as a variable" \
    names before argument -- ./o1 o1.db
ok "the program is built at a fixed address" build fixed -g -O2 -no-pie -fno-pie
# shellcheck disable=SC2086
ok "depbound names the variables of a program at a fixed address" \
    names $built element element_of_thread -- ./fixed fixed.db
# With the address of the thread in a register, as in code for a library.
ok "the program is built as if it were a library" \
    build library -g -O1 -fPIC -ftls-model=local-dynamic
ok "depbound names variables of a thread whatever code finds them" \
    names of_thread -- ./library library.db
if command -v clang >/dev/null; then
    for level in 0 2; do
        compiler=clang
        ok "clang builds the program with -O$level" build "clang$level" -g "-O$level"
        [ $level = 0 ] && right=$plain || right=$built
        # shellcheck disable=SC2086
        ok "depbound names only the right variables of clang's -O$level" \
            names $right -- "./clang$level" "clang$level.db"
    done
    compiler=${CC:-cc}
else
    skip "depbound names only the right variables of clang's code" "there is no clang"
fi

# Go writes DWARF 4 with blocks as locations, which older versions had.
as_go() {
    "$compiler" -g -gdwarf-4 -dA -O1 -S -o go.s "$source" &&
        grep -q 'DW_FORM_exprloc' go.s &&
        sed -i 's/0x18\(.*DW_FORM_exprloc\)/0xa\1/' go.s &&
        "$compiler" -Wl,--build-id -o go go.s &&
        readelf --debug-dump=abbrev go | grep -q 'DW_AT_location *DW_FORM_block1' &&
        records go.db ./go
}
ok "the program is built with locations as Go writes them" as_go
ok "depbound names variables whose locations are written as Go does" \
    names scalar field of_thread local -- ./go go.db

# object COMPILER: does it name what pointers lead to in an object file, and variables of
# the file, with the lines?
object() {
    "$1" -g -O1 -c -o object.o "$source" &&
        names pointer scalar field -- ./object.o &&
        jq -e '[.loops[] | select(.line == null)] | length == 0' out
}
ok "in an object file, depbound names variables, and what pointers lead to" object "$compiler"
ok_if "command -v clang" "there is no clang" \
    "in an object file of clang, depbound names variables" object clang

# --- What a report says ---

in_text() {
    line=$(grep -n 'state\.acc += ' "$source" | cut -d: -f1)
    ends 0 "$cpu" --llvm-mca=none --top=100 ./o2 o2.db &&
        sed -n "/^  variables.c:$line  *state\.acc += /{n;p;}" out |
        grep ' >| .*  state\.acc of the iteration before, forwarded$' &&
        has "The load at variables.c:$line waits for the store at $(
            )variables.c:$line of the iteration before, through state\.acc, "
}
ok "the text report names the variable beside its line, and in the advice" in_text
# The loop's share of the table, times what memory has of its cycles.
share() {
    ends 0 "$cpu" --top=100 --format=json ./o2 o2.db &&
        jq -e '.loops[] | select(.function == "field") |
            (.cycles_share * ([.chain[] | select(.wait == "memory") | .cycles] |
                add) / .predicted | round) as $share |
            .advice | contains(", through state.acc, ") and
                contains(", \($share) % of all cycles; ")' out
}
ok_if "command -v llvm-mca" "there is no llvm-mca" \
    "the advice says which share of all cycles the dependency has" share
in_markup() {
    tells '| .state\.acc. |' --top=100 --format=markdown ./o2 o2.db &&
        tells ' instructions before, through node-&gt;seen</title>' --top=100 --format=html \
            ./o2 o2.db
}
ok "Markdown has a column for the variable, and the page a note" in_markup

# --- Less information ---

symbols() {
    build bare -O2 && named ./bare bare.db >names && cat names &&
        grep -q '^scalar counter$' names && grep -q '^field state+8$' names &&
        grep -q '^element hist\[\]$' names && grep -q '^of_thread per_thread$' names &&
        ! grep -v '^scalar counter$\|^field state+8$\|^element hist\[\]$\|^of_thread' names
}
ok "without debug information, depbound names the symbols of objects" symbols
stripped() {
    strip -o stripped bare && named ./stripped bare.db >names && [ ! -s names ] &&
        jq -e '[.loops[].chain[] | select(.wait == "memory")] | length > 0' out
}
ok "in a stripped program, depbound names nothing" stripped

# The address of after[x - 4] with number 0 is that of before[0].
cat >near.c <<'END'
__attribute__((aligned(64))) long before[4];
long after[64];
struct {
    long before[4], after[64];
} inside;
unsigned char at[3000];
long lonely[64]; /* no array lies after it */
__attribute__((noinline)) void folded(const unsigned char *at, long n)
{
    for (long i = 0; i < n; i++)
        after[(unsigned long)at[i] - 4] += 3;
}
__attribute__((noinline)) void plain(const unsigned char *at, long n)
{
    for (long i = 0; i < n; i++)
        lonely[at[i]] += 3;
}
__attribute__((noinline)) void member(const unsigned char *at, long n)
{
    for (long i = 0; i < n; i++)
        inside.after[(unsigned long)at[i] - 4] += 3;
}
__attribute__((noinline)) long stack_x(const unsigned char *at, long n)
{
    long x[4] = {0}, y[4] = {0};

    __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
    for (long i = 0; i < n; i++)
        x[(unsigned long)at[i] - 4] += 3;
    __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
    return x[0] + y[0];
}
__attribute__((noinline)) long stack_y(const unsigned char *at, long n)
{
    long x[4] = {0}, y[4] = {0};

    __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
    for (long i = 0; i < n; i++)
        y[(unsigned long)at[i] - 4] += 3;
    __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
    return x[0] + y[0];
}
int main(void)
{
    for (int i = 0; i < 3000; i++)
        at[i] = 5;
    folded(at, 3000);
    plain(at, 3000);
    member(at, 3000);
    return stack_x(at, 3000) + stack_y(at, 3000) != 0;
}
END
near() {
    "$compiler" -g -O1 -fno-toplevel-reorder -fno-pie -no-pie -o near near.c &&
        [ $((0x$(nm near | sed -n 's/ . after$//p') - \
            0x$(nm near | sed -n 's/ . before$//p'))) -eq 32 ] &&
        records near.db ./near &&
        named ./near near.db >names && cat names && grep -q '^plain lonely\[\]$' names &&
        ! grep '^folded\|before\|stack_x.* y\|stack_y.* x' names
}
ok "an element that may be of the array before or of its own has no name" near

# section NAME: the offset and the size of a section of o2.
section() {
    readelf -S -W o2 | sed -n 's/^ *\[ *[0-9]*\] //p' | awk -v name="$1" \
        '$1 == name { print "0x" $4, "0x" $5 }'
}
# damage SECTION: writes bytes into 20 places of a section, one after the other, and
# reads each program that results.
damage() {
    # shellcheck disable=SC2046
    set -- $(section "$1")
    [ $# -eq 2 ] || return
    offset=$(($1))
    size=$(($2))
    for i in $(seq 0 19); do
        cp o2 damaged
        printf '%b' "$(printf '\\0%o' $((i * 37 % 256)) $((i * 91 % 256)) 255)" |
            dd of=damaged bs=1 conv=notrunc status=none \
                seek=$((offset + (size - 3) * i / 19)) || return
        status=0
        run depbound "$cpu" --llvm-mca=none ./damaged o2.db >shown || status=$?
        [ "$status" -eq 0 ] || [ "$status" -eq 2 ] ||
            { echo "$i: exit status $status"; return 1; }
    done
}
for part in info abbrev loclists rnglists line; do
    ok "depbound does not crash on a damaged .debug_$part" damage ".debug_$part"
done

end_of_cases
