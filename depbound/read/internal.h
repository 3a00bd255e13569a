/*
 * internal: a database while it is read.  cy_read reads what staticdeps
 * predicted, cy_read_deps what depsim observed.
 *
 * Each database numbers its objects and blocks anew, so its rows are joined by
 * its own ids.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "executions.h"
#include "read/cy_read.h"

struct cy_reader {
    struct cy_data *data;
    struct db *db;
    struct ids objects, blocks; /* blocks get the number of their object */
    struct executions executions;
    bool has_arch;      /* the architecture of `data` is known */
    bool is_other_arch; /* was an object of another architecture left out? */
};

/* Passes the rows of a query, and the reader as context, to `take`. */
int cy_reader_rows(struct cy_reader *r, const char *sql, db_take *take,
                   struct diag *d);

/* cy_read_deps: adds what a deps.db executed to the blocks and objects of a
   static.db; both must be sorted. */
int cy_read_deps(struct cy_reader *r, const char *path, struct diag *d);
