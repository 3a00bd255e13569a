/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_deps.h"

ULong ds_deps_bound[LIFETIMES_MAX];
ULong ds_deps_end;
UChar ds_deps_first_bound[65];

static UInt n_bounds;
static struct ds_table table;

void ds_deps_init(const struct lifetimes *l)
{
    n_bounds = l->n;
    for (UInt i = 0; i < l->n; i++)
        ds_deps_bound[i] = l->bound[i];
    ds_deps_first_bound[0] = 0;
    for (UInt bits = 1; bits <= 64; bits++)
        ds_deps_first_bound[bits] =
            (UChar)lifetimes_find(l, ((ULong)1 << (bits - 1)) + 1);
}

#define NEVER (~(ULong)0) /* the minimum of no distances */

void ds_deps_record(Bool on)
{
    ds_deps_end = on ? ds_deps_bound[n_bounds - 1] + 1 : 0;
}

struct ds_dep *ds_deps_obtain(struct ds_reader *reader, UInt writer)
{
    SizeT n_before = table.n_used;
    struct ds_dep *dep =
        ds_table_obtain(&table, (struct ds_key){{writer, reader->id, 0}},
                        sizeof *dep + n_bounds * sizeof dep->occurrences[0]);

    if (table.n_used > n_before)
        dep->min_distance = NEVER;
    reader->at_hand[writer % DS_AT_HAND].writer = writer;
    reader->at_hand[writer % DS_AT_HAND].dep = dep;
    return dep;
}

const struct ds_dep *ds_deps_next(SizeT *cursor)
{
    const struct ds_dep *dep;

    do
        dep = ds_table_next(&table, cursor);
    while (dep != NULL && dep->min_distance == NEVER);
    return dep;
}

SizeT ds_deps_number(void)
{
    SizeT n = 0, cursor = 0;

    while (ds_deps_next(&cursor) != NULL)
        n++;
    return n;
}

ULong ds_deps_total(const struct ds_dep *dep)
{
    ULong n = 0;

    for (UInt i = 0; i < n_bounds; i++)
        n += dep->occurrences[i];
    return n;
}

void ds_deps_reset(void)
{
    SizeT cursor = 0;
    struct ds_dep *dep;

    while ((dep = ds_table_next(&table, &cursor)) != NULL) {
        dep->min_distance = NEVER;
        dep->max_distance = 0;
        dep->cross_thread = False;
        for (UInt i = 0; i < n_bounds; i++)
            dep->occurrences[i] = 0;
    }
}
