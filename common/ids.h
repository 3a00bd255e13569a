/*
 * ids: what the ids of a table's rows are in a program.
 *
 * An id is found by binary search, but at once if it is the one found last or
 * the next: rows that refer to others mostly come in the order of those.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_IDS_H
#define COMMON_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed it is empty; it belongs to one thread. */
struct ids {
    struct id {
        int64_t id;
        uint32_t number;
    } * entries;
    size_t n_entries, entries_room;
    size_t at; /* the entry found last */
};

/* Adds an id that is not there yet.  ids_sort follows the last. */
void ids_add(struct ids *ids, int64_t id, uint32_t number);
void ids_sort(struct ids *ids);

/* The entry of an id, or NULL; and its number, or false. */
struct id *ids_entry(struct ids *ids, int64_t id);
bool ids_find(struct ids *ids, int64_t id, uint32_t *number);

/* Frees what it holds, and leaves it empty. */
void ids_fini(struct ids *ids);

#endif
