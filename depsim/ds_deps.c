/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_deps.h"

static const struct lifetimes *bounds;
/* The first bound that can hold a distance of so many significant bits: what
   is left to try are the bounds within one power of two. */
static UInt first_bound[65];

static struct ds_table table;

void ds_deps_init(const struct lifetimes *l)
{
    bounds = l;
    first_bound[0] = 0;
    for (UInt bits = 1; bits <= 64; bits++)
        first_bound[bits] = lifetimes_find(l, (ULong)1 << (bits - 1));
}

static UInt significant_bits(ULong x)
{
    return x == 0 ? 0 : 64 - (UInt)__builtin_clzll(x);
}

#define NEVER (~(ULong)0) /* the minimum of no distances */

static struct ds_dep *obtain(UInt writer, UInt reader)
{
    SizeT n_before = table.n_used;
    struct ds_dep *dep =
        ds_table_obtain(&table, (struct ds_key){{writer, reader, 0}},
                        sizeof *dep + bounds->n * sizeof dep->occurrences[0]);

    if (table.n_used > n_before)
        dep->min_distance = NEVER;
    return dep;
}

void ds_deps_count(struct ds_last *last, UInt writer, UInt reader,
                   ULong distance)
{
    UInt i = first_bound[significant_bits(distance)];
    struct ds_dep *dep = last->dep;

    while (i < bounds->n && bounds->bound[i] < distance)
        i++;
    if (UNLIKELY(i == bounds->n))
        return;
    if (UNLIKELY(last->writer != writer)) {
        dep = obtain(writer, reader);
        last->writer = writer;
        last->dep = dep;
    }
    dep->occurrences[i]++;
    if (distance < dep->min_distance)
        dep->min_distance = distance;
    if (distance > dep->max_distance)
        dep->max_distance = distance;
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

void ds_deps_reset(void)
{
    SizeT cursor = 0;
    struct ds_dep *dep;

    while ((dep = ds_table_next(&table, &cursor)) != NULL) {
        dep->min_distance = NEVER;
        dep->max_distance = 0;
        for (UInt i = 0; i < bounds->n; i++)
            dep->occurrences[i] = 0;
    }
}
