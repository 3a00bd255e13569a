/*
 * cc_ids: what the ids of a table's rows are in cc_data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cc_ids.h"

#include <stdlib.h>

#include "memory.h"

void cc_ids_add(struct cc_ids *ids, int64_t id, uint32_t number)
{
    ids->entries =
        memory_grow(ids->entries, &ids->capacity, ids->n, sizeof *ids->entries);
    ids->entries[ids->n++] = (struct cc_id){id, number};
}

static int id_order(const void *pa, const void *pb)
{
    const struct cc_id *a = pa, *b = pb;

    return (a->id > b->id) - (a->id < b->id);
}

void cc_ids_sort(struct cc_ids *ids)
{
    for (size_t i = 1; i < ids->n; i++)
        if (ids->entries[i - 1].id > ids->entries[i].id) {
            qsort(ids->entries, ids->n, sizeof *ids->entries, id_order);
            break;
        }
}

struct cc_id *cc_ids_find(struct cc_ids *ids, int64_t id)
{
    const struct cc_id key = {.id = id};
    struct cc_id *found;

    for (size_t i = ids->at; i < ids->n && i < ids->at + 2; i++)
        if (ids->entries[i].id == id) {
            ids->at = i;
            return &ids->entries[i];
        }
    if (ids->n == 0)
        return NULL;
    found = bsearch(&key, ids->entries, ids->n, sizeof key, id_order);
    if (found != NULL)
        ids->at = (size_t)(found - ids->entries);
    return found;
}

void cc_ids_fini(struct cc_ids *ids)
{
    free(ids->entries);
    *ids = (struct cc_ids){0};
}
