/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/internal.h"

UInt ds_expect_generation;

/* Loads that expect something, keep kinds of this generation, want new code. */
static struct ds_expects {
    struct ds_expect **load;
    SizeT n, room;
} remembering, experienced, often;

/* A load that misses more often than N_RARELY has a second level, which begins
   with N_FIRST places. */
#define N_RARELY 16
#define N_FIRST  4

/* Code is made anew for a load whose kind has changed in at least one of OFTEN
   executions for so many rounds, and again if it then changes in less than one
   of RARELY. */
#define N_OFTEN 8
#define OFTEN   3
#define RARELY  6

/* A kind that no access has. */
static const struct ds_seen none = {.kind = {.base = DS_EXPECT_NONE}};

static void forget(struct ds_expect *load)
{
    load->expected = none.kind;
    load->is_remembering = False;
}

struct ds_expect *ds_expect_obtain(struct ds_site *site, UInt superblock,
                                   SizeT n, UInt place, ULong n_before,
                                   ULong n_counted)
{
    Short ahead = (Short)((Long)n_before - (Long)n_counted);
    struct ds_expect *load;

    tl_assert(n >= 1 && n <= 255 && place >> 16 == 0);
    tl_assert(n_counted <= n_before + 1 && n_before >> 15 == 0);
    for (UInt at = site->loads; at != 0; at = load->next) {
        load = ds_arena_at(at);
        if (load->superblock == superblock && load->n_before == n_before &&
            load->n == n && load->place == place && load->ahead == ahead)
            return load;
    }
    load = ds_arena_new(n > DS_WORD
                            ? sizeof *load
                            : __builtin_offsetof(struct ds_expect, differs));
    load->next = site->loads;
    site->loads = (UInt)ds_arena_offset(load);
    load->superblock = superblock;
    load->site = site;
    load->n = (UChar)n;
    load->place = (UShort)place;
    load->n_before = (UShort)n_before;
    load->ahead = ahead;
    load->executions = &load->own;
    load->patience = N_OFTEN;
    forget(load);
    return load;
}

/* Settles n occurrences of a kind.  There may be none, or one too few for now,
   where a segment was counted before it was executed, so the largest distance
   does not depend on n. */
static inline void settle_kind(const struct ds_kind *k, ULong n)
{
    if (k->dep == NULL)
        return;
    *ds_deps_counter(k->dep, k->bound) += n;
    k->dep->max_distance = greater(k->dep->max_distance, k->first + k->span);
    if ((Long)n > 0)
        ds_deps_note(k->dep, k->first + k->span);
}

/* Takes the hits that crossed a line out of n, and settles them. */
static inline ULong settle_crossed(struct ds_expect *load, ULong n)
{
    const struct ds_kind *k = &load->expected;
    ULong crossed = load->crossed - load->crossed_mark;

    load->crossed_mark = load->crossed;
    if (k->dep != NULL && crossed > 0) {
        *ds_deps_counter(k->across, k->bound) += crossed;
        ds_deps_note(k->across, k->first + k->span);
    }
    return n - crossed;
}

/* A kind that the load keeps counts its hits there: its line of the cache will
   be needed sooner than those of the record. */
static inline void settle(struct ds_expect *load)
{
    const struct ds_kind *k = &load->expected;
    struct ds_seen *kept = load->seen;
    ULong n = *load->executions - load->mark;

    load->mark = *load->executions;
    if (UNLIKELY(load->n > DS_WORD))
        n = settle_crossed(load, n);
    if (kept != NULL)
        kept += ds_expect_place(load, k->base);
    if (kept == NULL || kept->kind.base != k->base) {
        settle_kind(k, n);
    } else {
        kept->n += n;
        kept->kind.span = greater(kept->kind.span, k->span);
    }
}

/* An execution is taken back at most once; the segment of a load may have been
   counted, and settled, before the load was executed. */
static void check(const struct ds_expect *load)
{
    tl_assert(load->mark <= *load->executions + 1);
    tl_assert(load->n <= DS_WORD || load->crossed_mark <= load->crossed);
    tl_assert(load->expected.span <= load->expected.room);
}

void ds_expect_attach(struct ds_expect *load, const ULong *executions)
{
    check(load);
    settle(load);
    load->executions = executions;
    load->mark = *executions;
}

void ds_expect_interrupt(const ULong *executions, ULong n_before)
{
    for (SizeT i = 0; i < remembering.n; i++)
        if (remembering.load[i]->executions == executions &&
            remembering.load[i]->n_before >= n_before)
            ds_expect_take_back(remembering.load[i], False);
}

static void add(struct ds_expects *to, struct ds_expect *load)
{
    to->load = ds_memory_grow(to->load, &to->room, to->n, sizeof *to->load);
    to->load[to->n++] = load;
}

/* A kind with its count fills a line of the cache, and is aligned to one. */
static void make_places(struct ds_expect *load, UInt n)
{
    tl_assert(sizeof(struct ds_seen) == FORWARD_LINE);
    tl_assert(n <= DS_KINDS_MAX && (n & (n - 1)) == 0);
    load->seen = ds_memory_new(n * sizeof *load->seen);
    load->n_seen = (UChar)n;
    for (UInt i = 0; i < n; i++)
        load->seen[i] = none;
}

static void settle_kinds(struct ds_expect *load)
{
    for (UInt i = 0; i < load->n_seen; i++) {
        settle_kind(&load->seen[i].kind, load->seen[i].n);
        load->seen[i].n = 0;
    }
}

/* Has the load missed so often that it keeps kinds? */
static Bool is_experienced(struct ds_expect *load)
{
    if (load->seen == NULL) {
        if (load->n_missed++ < N_RARELY)
            return False;
        make_places(load, N_FIRST);
    } else if (load->generation == ds_expect_generation) {
        return True;
    } else {
        for (UInt i = 0; i < load->n_seen; i++)
            load->seen[i] = none;
    }
    load->generation = ds_expect_generation;
    add(&experienced, load);
    return True;
}

/* Doubles the number of places.  If two kinds share one now, the last stays. */
static void grow(struct ds_expect *load)
{
    struct ds_seen *old = load->seen;
    UInt n = load->n_seen;

    settle_kinds(load);
    make_places(load, 2 * n);
    for (UInt i = 0; i < n; i++)
        if (old[i].kind.base != DS_EXPECT_NONE)
            load->seen[ds_expect_place(load, old[i].kind.base)] = old[i];
    ds_memory_free(old, n * sizeof *old);
}

/* Puts a kind where an access with this tag finds it. */
static void keep(struct ds_expect *load, const struct ds_kind *kind, ULong tag)
{
    struct ds_seen *there = &load->seen[ds_expect_place(load, tag)];

    if (there->kind.base != DS_EXPECT_NONE && load->n_seen < DS_KINDS_MAX &&
        (there->kind.dep != kind->dep || there->kind.bound != kind->bound)) {
        grow(load);
        there = &load->seen[ds_expect_place(load, tag)];
    }
    settle_kind(&there->kind, there->n);
    *there = (struct ds_seen){.kind = *kind};
}

/* The larger one of the largest distances of a kind's two records. */
static ULong longest(const struct ds_kind *kind)
{
    ULong most = kind->dep->max_distance;

    return kind->across == NULL ? most
                                : greater(most, kind->across->max_distance);
}

void ds_expect_set(struct ds_expect *load, const struct ds_kind *kind,
                   ULong time)
{
    ULong own = time - ds_clock_turn;
    Bool is_limited = ds_clock_turn != 0 && kind->dep != NULL;

    if (load->looks_up || (is_limited && own < kind->first))
        return;
    settle(load);
    load->expected = *kind;
    if (is_limited) {
        load->expected.room = lesser(kind->room, own - kind->first);
        load->expected.span = lesser(kind->span, load->expected.room);
    }
    if (load->n > DS_WORD) {
        load->differs = kind->differs ? DS_DIFFERS : 0;
        load->beyond = ~(((ULong)1 << kind->beyond) - 1);
    }
    if (!load->is_remembering)
        add(&remembering, load);
    load->is_remembering = True;
}

void ds_expect_learn(struct ds_expect *load, const struct ds_kind *kind,
                     ULong tag, ULong time)
{
    struct ds_kind known = *kind;

    tl_assert(tag - kind->base <= kind->room);
    tl_assert(kind->dep == NULL || longest(kind) >= kind->first);
    known.span = kind->room;
    if (kind->dep != NULL)
        known.span = lesser(kind->room, longest(kind) - kind->first);
    if (is_experienced(load))
        keep(load, &known, tag);
    ds_expect_set(load, &known, time);
}

void ds_expect_end_round(struct ds_expect *load)
{
    UInt now = (UInt)*load->executions, n = DS_EXPECT_ROUND;
    Bool is_other = load->looks_up ? load->n_others < n / RARELY
                                   : now - load->began < n * OFTEN;

    load->began = now;
    load->n_others = load->n_called = 0;
    load->n_rounds = is_other ? (UChar)(load->n_rounds + 1) : 0;
    if (load->wants != load->looks_up ||
        load->n_rounds < (load->looks_up ? N_OFTEN : load->patience))
        return;
    load->wants = !load->looks_up;
    load->n_rounds = 0;
    load->patience |= (UChar)(load->patience << 1);
    add(&often, load);
}

UInt ds_expect_take_often(void)
{
    return often.n == 0 ? 0 : often.load[--often.n]->superblock;
}

void ds_expect_choose(struct ds_expect *load)
{
    if (load->looks_up == load->wants)
        return;
    settle(load);
    load->expected = none.kind;
    load->looks_up = load->wants;
}

void ds_expect_begin_turn(void)
{
    SizeT n = 0;

    for (SizeT i = 0; i < remembering.n; i++) {
        struct ds_expect *load = remembering.load[i];

        if (load->expected.dep == NULL) {
            remembering.load[n++] = load;
            continue;
        }
        settle(load);
        forget(load);
    }
    remembering.n = n;
}

void ds_expect_settle_all(void)
{
    for (SizeT i = 0; i < remembering.n; i++) {
        check(remembering.load[i]);
        settle(remembering.load[i]);
    }
    for (SizeT i = 0; i < experienced.n; i++)
        settle_kinds(experienced.load[i]);
}

void ds_expect_forget_all(void)
{
    ds_expect_settle_all();
    ds_expect_generation++;
    experienced.n = 0;
    while (remembering.n > 0)
        forget(remembering.load[--remembering.n]);
}
