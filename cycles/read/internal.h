/*
 * internal: a database while it is read.  cy_read has what staticdeps
 * predicted, cy_read_deps what depsim observed.
 *
 * Each database numbers its objects and blocks anew, so its rows are joined by
 * its own ids.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_READ_INTERNAL_H
#define CY_READ_INTERNAL_H

#include "db.h"
#include "executions.h"
#include "model/cy_data.h"

/* Maps ids of a database to our numbers; sorted by id. */
struct cy_ids {
    struct cy_id {
        int64_t id;
        uint32_t number;
    } * ids;
    size_t n, room;
};

struct cy_reader {
    struct cy_data *data;
    struct db *db;
    struct cy_ids objects, blocks;
    struct executions executions;
    bool has_arch;      /* the architecture of `data` is known */
    bool is_other_arch; /* an object of another architecture was left out */
};

/* Reports that the database is damaged; returns -1. */
int cy_reader_damaged(const struct cy_reader *r, const char *what,
                      struct diag *d);

/* Runs a query and hands each row to `take`, until that fails. */
int cy_reader_each(struct cy_reader *r, const char *sql,
                   int (*take)(struct cy_reader *, struct db_query *,
                               struct diag *),
                   struct diag *d);

void cy_ids_add(struct cy_ids *ids, int64_t id, uint32_t number);
void cy_ids_sort(struct cy_ids *ids);

/* Finds an id among sorted ones; false: there is none. */
bool cy_ids_find(const struct cy_ids *ids, int64_t id, uint32_t *number);

/* cy_read_deps: adds a deps.db to the blocks and objects of a static.db, which
   are sorted. */
int cy_read_deps(struct cy_reader *r, const char *path, struct diag *d);

#endif
