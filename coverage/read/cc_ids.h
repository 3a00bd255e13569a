/*
 * cc_ids: what the ids of a table's rows are in cc_data.
 *
 * Found by binary search, but at once if an id is the one found last or the
 * next: rows that refer to others mostly come in the order of those.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_IDS_H
#define COVERAGE_CC_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed it is empty, and belongs to one thread. */
struct cc_ids {
    struct cc_id {
        int64_t id;
        uint32_t number;
    } * entries;
    size_t n, capacity;
    size_t at; /* the entry found last */
};

/* Adds an id that is not there yet; behind the last, cc_ids_sort is due. */
void cc_ids_add(struct cc_ids *ids, int64_t id, uint32_t number);
void cc_ids_sort(struct cc_ids *ids);

/* The entry of an id, or NULL. */
struct cc_id *cc_ids_find(struct cc_ids *ids, int64_t id);

/* Frees what it holds, and leaves it empty. */
void cc_ids_fini(struct cc_ids *ids);

#endif
