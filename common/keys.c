/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keys.h"

#define FIRST_BITS 8
#define MOST_BITS  12 /* of the largest table that is cleared, not freed */

void keys_fini(struct keys *k)
{
    free(k->list);
    free(k->table);
    *k = (struct keys){0};
}

void keys_clear(struct keys *k)
{
    if (k->bits > MOST_BITS) { /* a large table is rarely needed again */
        keys_fini(k);
    } else if (k->n > 0) {
        memset(k->table, 0, ((size_t)1 << k->bits) * sizeof *k->table);
        k->n = 0;
    }
}

/* Enters a number at the first free place for its key. */
static void enter(struct keys *k, size_t number)
{
    size_t at = hash_place(k->list[number], k->bits);

    assert(number < k->n && k->n < (size_t)1 << k->bits);
    while (k->table[at] != 0)
        at = (at + 1) & (((size_t)1 << k->bits) - 1);
    k->table[at] = (uint32_t)number + 1;
}

uint32_t keys_append(struct keys *k, uint64_t key)
{
    assert(k->n < NO_KEY - 1);
    if (k->bits == 0 || k->n >= ((size_t)3 << k->bits) / 4) {
        free(k->table);
        k->bits = k->bits > 0 ? k->bits + 1 : FIRST_BITS;
        k->table = memory_new((size_t)1 << k->bits, sizeof *k->table);
        for (size_t i = 0; i < k->n; i++)
            enter(k, i);
    }
    array_push(k->list, k->n, k->room, key);
    enter(k, k->n - 1);
    return (uint32_t)k->n - 1;
}

uint32_t keys_add(struct keys *k, uint64_t key)
{
    uint32_t number = keys_find(k, key);

    return number != NO_KEY ? number : keys_append(k, key);
}

/* --- Ids --- */

void ids_add(struct ids *ids, int64_t id, uint32_t number)
{
    array_append(ids, entries, (struct id){id, number});
}

ARRAY_ORDER(id_order, struct id, array_order(a->id, b->id))

void ids_sort(struct ids *ids)
{
    array_sort(ids->entries, ids->n_entries, id_order);
    for (size_t i = 1; i < ids->n_entries; i++)
        assert(ids->entries[i - 1].id <= ids->entries[i].id);
}

struct id *ids_entry(struct ids *ids, int64_t id)
{
    const struct id key = {.id = id};

    assert(ids->at <= ids->n_entries);
    for (size_t i = ids->at; i < ids->n_entries && i < ids->at + 2; i++)
        if (ids->entries[i].id == id) {
            ids->at = i;
            return &ids->entries[i];
        }
    struct id *found = array_find(&key, ids->entries, ids->n_entries, id_order);
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
