/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance.
 *
 * A pair (writer, reader) has one record for the whole run.  The reader keeps
 * the record of the writer it met last, because most loads have one writer;
 * the others are found by one hash probe.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_DEPS_H
#define DS_DEPS_H

#include "pub_tool_basics.h"

#include "ds_table.h"
#include "lifetimes.h"

/* One dependency.  Distances are in instructions. */
struct ds_dep {
    struct ds_key key; /* the sites: writer, reader */
    ULong min_distance, max_distance;
    ULong occurrences[]; /* one a lifetime bound, as ds_deps_init was told */
};

/* The record that a reader met last. */
struct ds_last {
    UInt writer; /* 0: none yet */
    struct ds_dep *dep;
};

/* Which bounds to count; the list must stay.  Call it first. */
void ds_deps_init(const struct lifetimes *bounds);

/* One occurrence: `reader` read at this distance what `writer` had written.
   Beyond the largest bound it is dropped. */
void ds_deps_count(struct ds_last *last, UInt writer, UInt reader,
                   ULong distance);

/* The records that have an occurrence, in no order; *cursor starts as 0.
   NULL after the last. */
const struct ds_dep *ds_deps_next(SizeT *cursor);

/* The number of these records. */
SizeT ds_deps_number(void);

/* Forgets all occurrences, in O(records). */
void ds_deps_reset(void);

#endif
