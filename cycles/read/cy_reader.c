/*
 * cy_reader: ids of a database, and its rows one by one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cy_reader.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

int cy_reader_damaged(const struct cy_reader *r, const char *what,
                      struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", db_path(r->db), what);
}

void cy_ids_add(struct cy_ids *ids, int64_t id, uint32_t number)
{
    ids->ids = memory_grow(ids->ids, &ids->room, ids->n, sizeof *ids->ids);
    ids->ids[ids->n++] = (struct cy_id){id, number};
}

static int id_order(const void *pa, const void *pb)
{
    const struct cy_id *a = pa, *b = pb;

    return (a->id > b->id) - (a->id < b->id);
}

void cy_ids_sort(struct cy_ids *ids)
{
    if (ids->n > 1)
        qsort(ids->ids, ids->n, sizeof *ids->ids, id_order);
}

bool cy_ids_find(const struct cy_ids *ids, int64_t id, uint32_t *number)
{
    struct cy_id key = {.id = id}, *found;

    found = ids->n == 0 ? NULL
                        : bsearch(&key, ids->ids, ids->n, sizeof key, id_order);
    if (found != NULL)
        *number = found->number;
    return found != NULL;
}

int cy_reader_each(struct cy_reader *r, const char *sql,
                   int (*take)(struct cy_reader *, struct db_query *,
                               struct diag *),
                   struct diag *d)
{
    struct db_query *q;
    int rc = -1;

    assert(r->db != NULL);
    q = db_prepare(r->db, sql, d);

    while (q != NULL && (rc = db_step(q, d)) == 1)
        if (take(r, q, d) != 0) {
            rc = -1;
            break;
        }
    db_query_free(q);
    return rc;
}
