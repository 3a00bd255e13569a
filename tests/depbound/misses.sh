#!/bin/sh
# Where depbound says that a program waits for caches, memory and pages: accesses whose
# misses are known by construction.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# chase: each load gets the address of the next, over 16384 lines of 64 bytes (1 MiB), in an
# order that no prefetcher knows.  look_up: every other load of a table is of one line, the
# others go round over 16384 lines, both at an index that was loaded from 2048 lines in order.
cat >misses.c <<'END'
struct node { struct node *next; char rest[56]; };
struct entry { long value; char rest[56]; };
static struct node nodes[16384] __attribute__((aligned(64)));
static struct entry table[16385] __attribute__((aligned(64)));
static unsigned indices[32768];
__attribute__((noinline)) struct node *chase(struct node *p)
{
    for (long i = 0; i < 400000; i++)
        p = p->next;                            /* line 9 */
    return p;
}
__attribute__((noinline)) long look_up(void)
{
    long sum = 0;
    for (long i = 0; i < 400000; i++)
        sum += table[indices[i % 32768]].value; /* line 16 */
    return sum;
}
int main(void)
{
    for (long i = 0; i < 16384; i++) {
        nodes[i].next = &nodes[(i + 6247) % 16384];
        table[i].value = i;
        indices[2 * i] = 16384;
        indices[2 * i + 1] = (unsigned)((6247 * i) % 16384);
    }
    return (chase(nodes) == nodes) + look_up() == 1;
}
END
memory='{"source": "made up", "misses": 16, "data_kib": 32, "data_ways": 8, "data_cycles": 4,
    "code_kib": 32, "code_ways": 8, "l2_kib": 512, "l2_ways": 8, "l2_cycles": 10,
    "l2_line_cycles": 2, "l2_stream_cycles": 4, "l3_kib": 8192, "l3_ways": 16,
    "l3_least_kib": 4096, "l3_most_kib": 16384, "l3_cycles": 40, "l3_line_cycles": 2,
    "l3_stream_cycles": 6, "memory_cycles": 400, "memory_line_cycles": 20,
    "memory_stream_cycles": 10, "first_pages": 64, "first_page_cycles": 7,
    "second_pages": 2048, "second_page_cycles": 70}'
prepare() {
    "$compiler" -g -O1 -static -o misses misses.c &&
        records deps.db --windows=400:2000 ./misses &&
        jq --argjson memory "$memory" '.memory = $memory' "$srcdir/data/machine.json" \
            >caches.json
}
ok "a program that misses caches is recorded" prepare
unknown() {
    tells 'if all data are in the first cache' misses deps.db &&
        ! grep -q 'waits for caches' out &&
        holds '.windows | .has_caches == false and .misses == [] and
            .causes.l3 == 0 and .cached_gain == null' misses deps.db &&
        ends 0 "$cpu" --llvm-mca=none misses deps.db &&
        has 'takes longer (the machine file does not say how long)'
}
ok "a machine file without caches: they are not modelled" unknown
cpu=--cpu=./caches.json
ok_if "$has_schemas" "$no_schemas" "JSON with misses matches the schema" of_schema misses deps.db

# accesses FILTER ARGUMENT...: does it hold for the loads of chase and look_up?
accesses() {
    filter=$1
    shift
    holds "def at(\$n): [.windows.misses[] | select(.access == \"load\" and
                .line == \"misses.c:\\(\$n)\")] | max_by(.missed);
        def near(\$x; \$part): . >= \$x * (1 - \$part) and . <= \$x * (1 + \$part);
        at(9) as \$chase | at(16) as \$table | $filter" "$@" misses deps.db
}
ok "each load of a chase over more than the second cache misses it" \
    accesses '$chase | .missed > 99.9 and .from.l3 > 90 and .from.memory < 1 and
        .level == "L3" and .is_chased and .gain_prefetched == null'
ok "every other load of a table misses" \
    accesses '$table | (.missed | near(50; 0.01)) and (.from.l3 | near(50; 0.02)) and
        .level == "L3" and (.is_chased | not) and .origin.line == "misses.c:16"'
ok "between two touches of a line, as many others are touched as the arrays have" \
    accesses '($chase.lines_since | near(16384; 0.06)) and
        ($table.lines_since | near(16384 + 2048; 0.2))'
ok "an access has the name of its variable" accesses '$chase.variable == "p->next"'
ok "a chase takes the latency of its level, which mending saves" \
    accesses '($chase.cycles / $chase.executions | near(40 - 4 + 7; 0.06)) and
        $chase.gain_cached > 0.9 * $chase.share'
ok "cost.db has all misses, with the figures of JSON" as_tables windows.function misses deps.db
ok "causes add up, and the costliest access comes first" \
    accesses '.windows | (([.causes[]] | add) / .cycles | near(1; 0.001)) and
        .misses[0].line == "misses.c:9" and ([.misses[].cycles] | . == (sort | reverse))'
ok "the loop's limit is the caches" \
    holds "$(loop chase) | .limited_by == \"caches\" and .without_misses < 6" misses deps.db
in_range() {
    holds "$(loop chase) | .high > 2.5 * .predicted and .high < 3 * .predicted and
        .low < .predicted" \
        misses deps.db &&
        ends 0 "$cpu" --llvm-mca=none misses deps.db &&
        has 'Not known: what misses of the caches take, but for a factor of 3;'
}
ok "what misses take is known but for a factor, which makes a loop's range" in_range
ok "a larger second cache has all of the chase" accesses '$chase | .from.l2 > 99' --cache=L2:4M
ok "in a large first cache nothing misses but pages" \
    accesses '$chase.missed < 1 and .windows.causes.l3 < 0.01 * .windows.cycles' \
        --cache=L1:4M --cache=L2:4M
ok "a small last cache leaves the chase to memory" \
    accesses '$chase | .level == "memory" and .from.memory > 90' --cache=L3:512K
curve() {
    accesses '.windows | .last_cache == 3 and .last_cache_sizes[0].kib == 1024 and
        .last_cache_sizes[-1].kib == 65536 and
        .last_cache_sizes[0].cycles > 2 * .last_cache_sizes[-1].cycles' &&
        tells '^cycles by the size of the L3: 1 MiB +.*, 64 MiB ' misses deps.db
}
ok "cycles fall with the size of the last cache" curve
ok "the curve has the cycles of the report, and those of both ends" \
    accesses '.program as $p | .windows as $w |
        def with($kib): ($w.last_cache_sizes[] | select(.kib == $kib)).cycles / $w.cycles;
        with(8192) == 1 and (with(4096) | near($p.with_least_cache / $p.cycles; 1e-9)) and
        (with(16384) | near($p.with_most_cache / $p.cycles; 1e-9))'
# A line of the chase is touched again after some 700,000 cycles.
pushed_out() {
    for lifetime in 200000 10000000; do
        jq ".memory.l3_lifetime = $lifetime" caches.json >$lifetime.json || return
    done
    cpu=--cpu=./200000.json
    tells 'KiB, the last of which others use; ' misses deps.db &&
        has 'of the L3, if others used none of it: 1 MiB' &&
        accesses '$chase | .level == "memory" and .from.memory > 90' &&
        accesses '$chase | .level == "L3" and .from.l3 > 90' --cache=L3:8M &&
        accesses '.program.with_most_cache < 0.5 * .program.cycles' &&
        cpu=--cpu=./10000000.json && accesses '$chase | .level == "L3" and .from.l3 > 90'
    status=$?
    cpu=--cpu=./caches.json
    return $status
}
ok "others push lines out of the last cache that the program touches seldom" pushed_out
# Each line of the table is asked for 16 rounds before its load.
prefetched() {
    sed 's|sum += table|__builtin_prefetch(\&table[indices[(i + 16) % 32768]]), &|' misses.c \
        >fetched.c && "$compiler" -g -O1 -static -o fetched fetched.c &&
        records fetched.db --windows=400:2000 ./fetched &&
        holds '(.windows.prefetches | . > 0 and . < 0.5 * 1e9) and
            .program.with_most_cache < 0.5 * .program.cycles and
            (.windows.misses | map(select(.line == "fetched.c:16") | .waits.l3) | add) <
                0.5 * (.windows.misses | map(select(.line == "fetched.c:9") | .waits.l3) | add)' \
            fetched fetched.db &&
        tells 'prefetch instructions bring all lines or none' fetched fetched.db &&
        ends 0 "$cpu" --llvm-mca=none fetched fetched.db &&
        has '^Not modelled: which lines prefetch instructions bring, so'
}
ok "as many misses as prefetch instructions wait for no cache" prefetched
ok "where no value goes through memory, registers gain nothing" \
    accesses '.program | .mended > 0.99 * .cycles'
# With 512 KiB the chase waits for memory, and with 16 MiB for the last cache.
share() {
    jq '.memory.l3_least_kib = 512' caches.json >shared.json || return 1
    cpu=--cpu=./shared.json
    accesses '.program as $p | $p | .with_most_cache <= 1.001 * .cycles and
        .with_least_cache > 3 * .cycles and
        (.least | near($p.low * $p.with_most_cache / $p.cycles; 1e-6))' &&
        tells 'as much .16 MiB. or as little .0.5 MiB. of the last cache is its own' \
            misses deps.db
    status=$?
    cpu=--cpu=./caches.json
    return $status
}
ok "a part of the last cache: the interval has both ends" share
given() {
    accesses '.program | .with_most_cache == .with_least_cache and .least == null' \
        --cache=L3:8M
}
ok "no more than the given size is taken for both ends" given
for format in text html markdown; do
    shown() {
        report --format=$format misses deps.db && has 'with caches of 32, 512 and 8192 KiB' \
            'misses.c:9.*its own value before'
    }
    ok "$format has the caches and the loads that miss" shown
done
first() {
    ends 0 "$cpu" --llvm-mca=none misses deps.db &&
        has '^Waits for caches, memory and pages, .*: .*L3 [0-9]* %' \
        ' for the load at misses.c:9' '^Not modelled: other programs take a part of the last'
}
ok "the short report names the waits first" first
cache_form="must be L1, L2 or L3, a colon and a size, as L3:8M or L2:512K"
for size in L3 L3:8 L4:8M L3:0M L3:xM L3:99999999G; do
    ok "--cache=$size is refused" says "depbound: --cache=$size: $cache_form" \
        --cache=$size misses deps.db
done
ok "a last cache below the second one is refused" \
    says "depbound: --cache=L3: a cache would be smaller than the one before it" \
    --cache=L3:256K misses deps.db
ok "--cache needs a run" says "depbound: --cache: no deps.db given" --cache=L3:8M misses
# Two rows of pointers to 16384 records, in the order of their keys, which is random in
# memory, are merged: by a branch that cannot be predicted, and by an index without one.
cat >merge.c <<'END'
struct record { long key; char rest[56]; };
static struct record records[16384] __attribute__((aligned(64)));
static struct record *rows[2][16384];
__attribute__((noinline)) long by_branch(long n)
{
    struct record **a = rows[0], **b = rows[1];
    for (; n > 0; n--) {
        if ((*a)->key < (*b)->key) {
            a++;
            __asm__ volatile("");
        } else {
            b++;
            __asm__ volatile("");
        }
    }
    return (*a)->key;
}
__attribute__((noinline)) long by_index(long n)
{
    struct record **at[2] = {rows[0], rows[1]};
    for (; n > 0; n--)
        at[(*at[0])->key >= (*at[1])->key]++;
    return (*at[0])->key;
}
int main(void)
{
    unsigned random = 1, n[2] = {0, 0};
    for (unsigned i = 0; i < 16384; i++) {
        unsigned row = (random = random * 1664525 + 1013904223) >> 31;
        rows[row][n[row]] = &records[6247 * i % 16384];
        rows[row][n[row]++]->key = i;
    }
    long same = 0;
    for (int i = 0; i < 8; i++)
        same += by_branch(16000) == by_index(16000);
    return same != 8;
}
END
merged() {
    "$compiler" -g -O1 -static -o merge merge.c &&
        records merge.db --windows=400:2000 ./merge &&
        holds '[.program.functions[] | select(.function == "by_branch" or
                .function == "by_index")] | sort_by(.function) |
            (.[0].cycles | . > 0) and .[1].cycles > 3 * .[0].cycles' \
            --cache=L3:512K merge merge.db
}
ok "what is executed behind a mispredicted branch fetches lines that are needed later" merged
cpu=--cpu=$srcdir/data/machine.json
ok "--cache needs caches in the machine file" \
    says "depbound: --cache=L3: the machine file $(jq -r .name "$srcdir/data/machine.json") does not say what caches there are" \
    --cache=L3:8M misses deps.db
end_of_cases
