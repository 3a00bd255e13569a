/*
 * ds_expect: an inline cache for each load in translated code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/internal.h"

ULong ds_expect_generation, ds_expect_nothing;

static struct ds_table table = {.allocate = ds_arena_new};

static struct ds_expect **remembering;
static SizeT n_remembering, n_room;

/* A load that misses more often has a second level. */
#define N_RARELY 64

/* No entry has this writer, so no access is of this kind. */
static const struct ds_kind none = {
    .base = 0 - ((ULong)DS_WRITER_NONE << DS_TIME_BITS),
    .counter = &ds_expect_nothing,
    .crossing = &ds_expect_nothing};

static void forget(struct ds_expect *load)
{
    load->expected = none;
    load->is_remembering = False;
}

struct ds_expect *ds_expect_obtain(struct ds_site *site, UInt superblock,
                                   SizeT n, UInt place, ULong n_before,
                                   ULong n_counted)
{
    struct ds_key key = {{(ULong)superblock << 32 | site->reader.id,
                          n_before << 32 | n_counted, n << 32 | place}};
    struct ds_expect *load = ds_table_obtain(&table, key, sizeof *load);

    tl_assert(n >= 1 && n <= DS_READ_MAX);
    tl_assert(n_counted <= n_before + 1 && n_before >> 32 == 0);
    if (load->site == NULL) {
        load->site = site;
        load->n = n;
        load->n_before = n_before;
        load->n_counted = n_counted;
        load->executions = &load->own;
        forget(load);
    }
    tl_assert(load->site == site);
    return load;
}

/* An execution is taken back at most once; the segment of a load may have been
   counted, and settled, before the load was executed. */
static void check(const struct ds_expect *load)
{
    tl_assert(load->mark <= *load->executions + 1);
    tl_assert(load->crossed_mark <= load->crossed);
    tl_assert(load->expected.counter != NULL);
    tl_assert(load->expected.span <= load->expected.room);
}

void ds_expect_attach(struct ds_expect *load, const ULong *executions)
{
    check(load);
    ds_expect_settle(load);
    load->executions = executions;
    load->mark = *executions;
}

void ds_expect_interrupt(const ULong *executions, ULong n_before)
{
    for (SizeT i = 0; i < n_remembering; i++)
        if (remembering[i]->executions == executions &&
            remembering[i]->n_before >= n_before)
            ds_expect_take_back(remembering[i], False);
}

static void add_remembering(struct ds_expect *load)
{
    if (load->is_remembering)
        return;
    load->is_remembering = True;
    if (n_remembering == n_room) {
        n_room = n_room == 0 ? 4096 : 2 * n_room;
        remembering = VG_(realloc)("ds.expect", remembering,
                                   n_room * sizeof *remembering);
    }
    remembering[n_remembering++] = load;
}

/* The kinds that it has met, or NULL while it has rarely missed. */
static struct ds_kinds *seen_by(struct ds_expect *load)
{
    if (load->seen == NULL) {
        if (load->n_missed++ < N_RARELY)
            return NULL;
        load->seen = VG_(malloc)("ds.expect", sizeof *load->seen);
    } else if (load->seen->generation == ds_expect_generation) {
        return load->seen;
    }
    load->seen->generation = ds_expect_generation;
    for (UInt i = 0; i < DS_KINDS; i++)
        load->seen->kind[i] = none;
    return load->seen;
}

void ds_expect_learn(struct ds_expect *load, const struct ds_kind *kind,
                     ULong tag)
{
    struct ds_kinds *seen = seen_by(load);

    tl_assert(tag - kind->base <= kind->span && kind->span <= kind->room);
    tl_assert(kind->counter != NULL);
    ds_expect_settle(load);
    load->expected = *kind;
    add_remembering(load);
    if (seen != NULL)
        *ds_expect_place(seen, tag) = *kind;
}

void ds_expect_settle_all(void)
{
    for (SizeT i = 0; i < n_remembering; i++) {
        check(remembering[i]);
        ds_expect_settle(remembering[i]);
    }
}

void ds_expect_forget_all(void)
{
    ds_expect_settle_all();
    ds_expect_generation++;
    while (n_remembering > 0)
        forget(remembering[--n_remembering]);
}
