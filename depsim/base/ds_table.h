/*
 * ds_table: from a key of three words to a record that stays where it is.
 *
 * Open addressing with linear probing, at most half full, so that a hit costs
 * one hash and, as a rule, one or two comparisons.  Records are never removed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_TABLE_H
#define DS_TABLE_H

#include "base/ds_valgrind.h"

struct ds_key {
    ULong word[3];
};

/* A table of zeros is an empty one.  Each record begins with its key. */
struct ds_table {
    void *(*allocate)(SizeT size); /* records; NULL: ds_memory_new */
    struct ds_key **slot;
    SizeT n_slots; /* a power of two */
    SizeT n_used;
};

/* The record of a key.  A new one has `size` bytes, zero after the key. */
void *ds_table_obtain(struct ds_table *t, struct ds_key key, SizeT size);

/* The next record, in no order; *cursor starts as 0.  NULL after the last. */
void *ds_table_next(const struct ds_table *t, SizeT *cursor);

#endif
