#!/bin/sh
# The rules of walks: each kernel of kernels/walks against the truth beside its
# code.
#
#     /* expect: SRC -> DST  yes|no [RULE=yes|no] */
#
# says whether --scope=program predicts that the instruction at label .LDST reads
# what the one at .LSRC wrote, with all rules and without one.  Only the kernels about
# them use starts in the middle and flow, which would show pairs in code that a rule
# keeps walks away from.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"
. "$srcdir/kernels/assemble.sh"

# "SRC DST PREDICTED RULE PREDICTED" for each expectation; RULE is - if there is
# none.  Anything else that calls itself one is an error in the kernel.
truth() {
    awk '
        $2 != "expect:" { next }
        $4 == "->" && $6 ~ /^(yes|no)$/ && $7 == "*/" {
            print $3, $5, $6, "-", "-"
            next
        }
        $4 == "->" && $6 ~ /^(yes|no)$/ && $7 ~ /^[a-z]+=(yes|no)$/ {
            split($7, rule, "=")
            print $3, $5, $6, rule[1], rule[2]
            next
        }
        { print FILENAME ": " $0 >"/dev/stderr"; exit 1 }
    ' "$1"
}

build() {
    truth "$1" >truth && [ -s truth ] && assemble "$1" -Wl,-e,f
}

options() {
    case $kernel in *middle) ;; *) echo --without=middle ;; esac
    case $kernel in flow*) ;; *) echo --without=flow ;; esac
    case $kernel in
    flow-middle) ;; # there are starts in the middle
    flow-order) echo --effort=1 --without=again ;;
    flow*) echo --effort=1 ;;
    steer) echo --effort=3 ;; # four walks
    switch) echo --effort=9 ;; # the walks of each case are few
    whole) echo --without=forward ;; # or its loop takes no time
    esac
}

# predicted OPTION...: writes "SRC DST" by label of each predicted pair to the file pairs.
predicted() {
    # shellcheck disable=SC2046 # a list of options
    run staticdeps --scope=program $(options) "$@" -o k.db kernel || return
    query k.db "SELECT printf('%x', src), printf('%x', dst) FROM dep" | tr '|' ' ' |
        by_label >pairs
}

as_the_truth() {
    predicted && answers 3
}

without() {
    predicted --without="$1" && answers 5 4 "$1"
}

for kernel in $(split_kernels walks/flow.s walks/rules.s); do
    ok "$kernel: the kernel is built" build "split/$kernel.s"
    ok "$kernel: walks predict the truth" as_the_truth
    for rule in $(awk '$4 != "-" { print $4 }' truth | sort -u); do
        ok "$kernel: walks predict less without the rule \"$rule\"" \
            without "$rule"
    done
done

# --- Evidence ---

build split/flow.s
evidence() {
    run staticdeps --scope=function $(options) "$@" -o k.db kernel &&
        query k.db "SELECT DISTINCT evidence FROM dep ORDER BY evidence"
}
kernel=flow
ok "the database says what each pair was found by" \
    equal "$(evidence | tr '\n' ' ')" "flow walk "
ok "--without=flow leaves out pairs of flow" equal "$(evidence --without=flow)" walk
evidence >/dev/null
holds "the rows of walks and flow are as the schema demands" k.db \
    "PRAGMA integrity_check" ok
holds "pairs of flow have a support of 0.5" k.db \
    "SELECT DISTINCT support FROM dep WHERE evidence = 'flow'" 0.5
labelled_at() { # LABEL: its address
    echo "0x$(awk -v label="$1" '$2 == label { print $1 }' labels)"
}
holds "the distance of a pair of flow is the fewest instructions on a way" k.db \
    "SELECT distance FROM dep WHERE src = $(labelled_at frame)
        AND dst = $(labelled_at frame_load)" 22
evidence --support=60 >/dev/null
holds "--support leaves out pairs of flow with less support" k.db \
    "SELECT count(*) FROM dep WHERE evidence = 'flow'" 0
ok "the database lists pairs below --support as weak" [ "$(query k.db \
    "SELECT count(*) FROM weak WHERE support = 0.5")" -gt 0 ]

# --- Distances ---

# longest SOURCE: the distance of the pair whose ends are furthest apart.
longest() {
    build "$1" &&
        run staticdeps --scope=function --without=middle -o k.db kernel &&
        query k.db "SELECT max(distance) FROM dep"
}

# Walks skip most of a million rounds of four instructions.
ok "rounds that a walk skips count in the distance" equal \
    "$(longest split/forward.s)" 4000001

# 2^62 rounds take 2^64 instructions, more than a 64-bit number holds.
cat >huge.s <<'END'
/* expect: store -> load  yes */
        .globl  f
        .type   f, @function
f:      movabsq $0x4000000000000000, %rcx
.Lstore: movq   $1, (%rdi)
.Lround: addq   $8, %rdx
        addq    $8, %rsi
        subq    $1, %rcx
        jnz     .Lround
.Lload: movq    (%rdi), %rax
        ret
        .size   f, . - f
END
ok "a loop with more rounds than 32 bits count has the largest distance" \
    equal "$(longest huge.s)" 4294967295

# 2^30 rounds, in each of which most of 2^32 rounds are skipped.
cat >nested.s <<'END'
/* expect: store -> load  yes */
        .globl  f
        .type   f, @function
f:      movq    $0x40000000, %rcx
.Lstore: movq   $1, (%rdi)
.Louter: movabsq $0x100000000, %rax
.Linner: addq   $8, %rdx
        addq    $8, %rsi
        subq    $1, %rax
        jnz     .Linner
        subq    $1, %rcx
        jnz     .Louter
.Lload: movq    (%rdi), %rax
        ret
        .size   f, . - f
END
ok "nested loops with too many rounds have the largest distance" \
    equal "$(longest nested.s)" 4294967295

# Rounds of different lengths, since an inner loop has fewer rounds each time.
cat >shorter.s <<'END'
/* expect: store -> load  yes */
        .globl  f
        .type   f, @function
f:      movl    $1000063, %ecx
.Lstore: movq   %rcx, (%rdi,%rcx,8)
        movl    %ecx, %eax
        andl    $63, %eax
.Linner: subl   $1, %eax
        jns     .Linner
        subl    $1, %ecx
        jnz     .Lstore
.Lload: movq    24(%rdi), %rax
        ret
        .size   f, . - f
END
ok "a store of a skipped round lies before what follows the loop" \
    [ "$(longest shorter.s)" -lt 1000 ]

# --- Loops ---

# loops: the label of the loop that was re-entered between the ends of each pair.
build split/loops.s
loops() {
    run staticdeps --scope=program --without=middle -o k.db kernel &&
        query k.db "SELECT printf('%x %x %x', src, dst, h.start)
            FROM dep LEFT JOIN block AS h ON h.block_id = loop" |
        awk 'FILENAME == "labels" { label[$1] = $2; next }
                ($1 in label) && ($2 in label) {
                    print label[$1], label[$2], $3 in label ? label[$3] : "none"
                }
            ' labels - | sort >got &&
        printf '%s\n' 'col col col' 'put called row' 'put new none' \
            'put old row' | diff - got
}
ok "a pair has the loop that was re-entered between its ends" loops
address() { printf '%d' "0x$(awk -v l="$1" '$2 == l { print $1 }' labels)"; }
run staticdeps --scope=program -o k.db --format=text kernel >text
ok "--format=text has the loop that was re-entered" \
    grep -q " -> $(printf '0x%x' "$(address old)")  .*  loop $(
    printf '0x%x' "$(address row)")  support" text
run staticdeps --scope=program -o k.db --format=json kernel >json
of_pair() {
    query :memory: "SELECT coalesce(d.value ->> 'loop', 'null')
        FROM json_tree(CAST(readfile('json') AS TEXT)) AS d
        WHERE d.type = 'object' AND d.value ->> 'src' = $(address put) AND
            d.value ->> 'dst' = $(address "$1")"
}
ok "--format=json has the loop that was re-entered" equal "$(of_pair old)" "$(address row)"
ok "--format=json has null if no loop was re-entered" equal "$(of_pair new)" null

# --- The number of walks ---

# Walks from a function end when they show nothing new, so a small function has fewer
# than the four for each level that the effort allows.
build split/enter.s
n_walks() {
    run staticdeps --scope=function --without=middle "--effort=$1" -o k.db \
        kernel && query k.db "SELECT max(walks) FROM walked"
}
ok "walks from a function end when they show nothing new" [ "$(n_walks 8)" -lt 32 ]

# A function with loops has many walks, even if they show little; another one has one
# more for each way through it.
cat >ways.c <<'END'
int straight(int *p, int n) { *p = n; return *p; }
int choice(int *p, int n) { return n == 77 ? straight(p, n) : 0; }
int switches(int *p, int n)
{
    switch (n) {
    case 0: return p[3];
    case 1: return p[5];
    case 2: return p[2] + 1;
    case 3: return p[7] - 4;
    case 4: return p[1] * 2;
    default: return p[9];
    }
}
int loop(int *p, int n)
{
    int sum = 0;

    while (n-- > 0)
        sum += p[n];
    return sum;
}
END
"$compiler" -O1 -c -o ways.o ways.c
walks_of() {
    run staticdeps --scope=function --effort=8 --without=flow --without=middle \
        -o k.db ways.o && query k.db "SELECT $1 FROM (SELECT name, walks
            FROM walked JOIN function USING (function_id) ORDER BY walks)"
}
ok "a function with more paths has more walks" equal \
    "$(walks_of "group_concat(name, ' '), count(DISTINCT walks)")" \
    "straight choice switches loop|4"

# A new pair within a callee, or between callee and caller, prolongs the caller's walks
# only with --scope=program.  With --scope=function the callee's own walks show it.
cat >within.c <<'END'
volatile int input[256];
static volatile int cells[32];
#define STORE(i, k)                                                            \
    if (input[8 * i + k])                                                   \
        cells[i] = k;
#define LOAD(i, k)                                                             \
    if (input[8 * i + k])                                                   \
        sum += cells[i];
#define STORES(i) STORE(i, 1) STORE(i, 2) STORE(i, 3)
#define LOADS(i)  LOAD(i, 4) LOAD(i, 5) LOAD(i, 6)
#define CELL(i)   STORES(i) LOADS(i)
#define ALL(what)                                                              \
    what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)            \
    what(8) what(9) what(10) what(11) what(12) what(13) what(14) what(15)
__attribute__((noinline)) int callee(void)
{
    int sum = 0;

    ALL(CELL)
    return sum;
}
__attribute__((noinline)) int caller(void)
{
    return callee() + 1;
}
__attribute__((noinline)) void storing(void)
{
    ALL(STORES)
}
__attribute__((noinline)) int loading(void)
{
    int sum = 0;

    storing();
    ALL(LOADS)
    return sum;
}
int main(void)
{
    return caller() + loading();
}
END
"$compiler" -O1 -o within within.c
walks_from() {
    run staticdeps --scope="$2" --effort=4 --without=flow --without=middle \
        -o k.db within && query k.db "SELECT walks FROM walked
            JOIN function USING (function_id) WHERE name = '$1'"
}
ok "a pair within a callee prolongs the callee's walks, not the caller's" \
    [ "$(walks_from caller function)" -lt "$(walks_from caller program)" ]
ok "a pair between callee and caller prolongs walks with --scope=program" \
    [ "$(walks_from loading function)" -lt "$(walks_from loading program)" ]

# --- What the rows depend on ---

gzip=$(command -v gzip)
rows() { query "$1" .dump | grep -v "'version'" | cksum; }
run staticdeps --scope=program --jobs=1 -o one.db "$gzip"
for jobs in 2 3; do
    run staticdeps --scope=program --jobs=$jobs -o more.db "$gzip"
    ok "the rows of walks are those of one worker with --jobs=$jobs" \
        equal "$(rows more.db)" "$(rows one.db)"
done
run staticdeps --scope=program --jobs=1 --seed=2 -o other.db "$gzip"
ok "another --seed changes the rows of walks" sh -c '! cmp -s one.db other.db'
# within: all pairs of --scope=function lie in one function.
within() {
    run staticdeps --scope=function -o function.db "$gzip" &&
        query function.db "SELECT count(*) > 100, min(scope <> 'object')
            FROM dep" >got && echo '1|1' | diff - got
}
ok "pairs of --scope=function lie in one function" within

# --- Files ---

cat >parts.c <<'END'
static int counter;
void cold_part(void);
int step(int *p, int n)
{
    counter += n;
    if (__builtin_expect(n < 0, 0))
        cold_part();
    *p = counter;
    return *p;
}
int twice(int *p) { return step(p, 1) + step(p, 2); }
END
"$compiler" -O1 -fno-inline -c -o parts.o parts.c
ar rc parts.a parts.o
cp parts.o bare.o
strip --strip-debug bare.o
pairs() { query "$1" "SELECT count(*) FROM dep"; }
walks() {
    run staticdeps --scope=program -o k.db "$1" && [ "$(pairs k.db)" -gt 2 ]
}
ok "an object file can be walked" walks parts.o
# of_one_function: both ends of each pair lie in the chosen function.
of_one_function() {
    run staticdeps --scope=program --function=step -o k.db parts.o &&
        [ "$(query k.db "SELECT group_concat(name) FROM function")" = step ] &&
        [ "$(pairs k.db)" -gt 0 ] && [ "$(query k.db "SELECT count(*) FROM dep
            WHERE src_block NOT IN (SELECT block_id FROM block)
                OR dst_block NOT IN (SELECT block_id FROM block)")" = 0 ]
}
ok "--function chooses both ends of a pair" of_one_function
ok "a static library can be walked" walks parts.a
ok "an object file without debug information can be walked" walks bare.o
a64() {
    aarch64-linux-gnu-gcc -O1 -fno-inline -c -o a64.o parts.c && walks a64.o
}
needs aarch64-linux-gnu-gcc "an object file for AArch64 can be walked" a64
cat >stripped.c <<'END'
int parts_step(int *, int) __asm__("step");
int main(void) { int n = 0; return parts_step(&n, 1); }
void cold_part(void) { }
END
"$compiler" -O1 -o program stripped.c parts.o
strip -o bare program
nameless() {
    run staticdeps --scope=function -o k.db bare &&
        [ "$(query k.db "SELECT count(*) > 3, max(name) IS NULL
            FROM function WHERE name IS NULL")" = '1|1' ] &&
        [ "$(pairs k.db)" -gt 2 ]
}
ok "a stripped program has functions without names" nameless

end_of_cases
