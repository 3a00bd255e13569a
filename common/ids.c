/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ids.h"

#include <assert.h>

#include "array.h"

void ids_add(struct ids *ids, int64_t id, uint32_t number)
{
    array_append(ids, entries, (struct id){id, number});
}

static int id_order(const void *pa, const void *pb)
{
    const struct id *a = pa, *b = pb;

    return array_order(a->id, b->id);
}

void ids_sort(struct ids *ids)
{
    array_sort(ids->entries, ids->n_entries, id_order);
    for (size_t i = 1; i < ids->n_entries; i++)
        assert(ids->entries[i - 1].id <= ids->entries[i].id);
}

struct id *ids_entry(struct ids *ids, int64_t id)
{
    const struct id key = {.id = id};
    struct id *found;

    for (size_t i = ids->at; i < ids->n_entries && i < ids->at + 2; i++)
        if (ids->entries[i].id == id) {
            ids->at = i;
            return &ids->entries[i];
        }
    found = array_find(&key, ids->entries, ids->n_entries, id_order);
    if (found != NULL)
        ids->at = (size_t)(found - ids->entries);
    return found;
}

bool ids_find(struct ids *ids, int64_t id, uint32_t *number)
{
    const struct id *entry = ids_entry(ids, id);

    if (entry != NULL)
        *number = entry->number;
    return entry != NULL;
}

void ids_fini(struct ids *ids)
{
    free(ids->entries);
    *ids = (struct ids){0};
}
