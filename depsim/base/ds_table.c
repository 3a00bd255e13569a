/*
 * ds_table: from a key of three words to a record that stays where it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_table.h"

#include "base/ds_memory.h"

#define FIRST_SLOTS ((SizeT)1 << 12)

/* Multiplicative hashing by odd constants; the good bits are the high ones. */
static SizeT home(const struct ds_table *t, const struct ds_key *key)
{
    ULong h = key->word[0] * 0x9E3779B97F4A7C15ULL;

    h = (h ^ (h >> 32) ^ key->word[1]) * 0xD6E8FEB86659FD93ULL;
    h = (h ^ (h >> 32) ^ key->word[2]) * 0xA0761D6478BD642FULL;
    return (SizeT)(h >> 24) & (t->n_slots - 1);
}

static Bool is_same(const struct ds_key *a, const struct ds_key *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1] &&
           a->word[2] == b->word[2];
}

/* The slot of a key, or the free one where it belongs. */
static struct ds_key **find(const struct ds_table *t, const struct ds_key *key)
{
    SizeT i = home(t, key);

    while (t->slot[i] != NULL && !is_same(t->slot[i], key))
        i = (i + 1) & (t->n_slots - 1);
    return &t->slot[i];
}

static void grow(struct ds_table *t)
{
    struct ds_table old = *t;

    t->n_slots = old.n_slots == 0 ? FIRST_SLOTS : 2 * old.n_slots;
    t->slot = VG_(calloc)("ds.table", t->n_slots, sizeof *t->slot);
    for (SizeT i = 0; i < old.n_slots; i++)
        if (old.slot[i] != NULL)
            *find(t, old.slot[i]) = old.slot[i];
    tl_assert((t->n_slots & (t->n_slots - 1)) == 0);
    if (old.slot != NULL)
        VG_(free)(old.slot);
}

void *ds_table_obtain(struct ds_table *t, struct ds_key key, SizeT size)
{
    struct ds_key **slot;

    tl_assert(size >= sizeof key);
    if (2 * t->n_used >= t->n_slots)
        grow(t);
    slot = find(t, &key);
    if (*slot == NULL) {
        *slot = t->allocate != NULL ? t->allocate(size) : ds_memory_new(size);
        **slot = key;
        t->n_used++;
        tl_assert(2 * t->n_used <= t->n_slots);
    }
    return *slot;
}

void *ds_table_next(const struct ds_table *t, SizeT *cursor)
{
    while (*cursor < t->n_slots) {
        struct ds_key *record = t->slot[(*cursor)++];

        if (record != NULL)
            return record;
    }
    return NULL;
}
