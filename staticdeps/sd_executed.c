/*
 * sd_executed: what depsim has seen to run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_executed.h"

#include <stdlib.h>

#include "db.h"
#include "memory.h"

/* Ranges do not touch, and are sorted. */
struct range {
    uint64_t start, end;
};

struct sd_executed {
    struct db *db;
    struct db_query *segments;
    struct range *ranges;
    size_t n, room;
};

struct sd_executed *sd_executed_open(const char *path, struct diag *d)
{
    struct sd_executed *e = memory_new(1, sizeof *e);

    e->db = db_open(path, DB_DEPS, d);
    if (e->db != NULL)
        e->segments = db_prepare(
            e->db,
            "SELECT start, \"end\" FROM segment JOIN object USING(object_id)"
            " WHERE build_id = ? AND executions > 0 ORDER BY start",
            d);
    if (e->segments != NULL)
        return e;
    sd_executed_close(e);
    return NULL;
}

void sd_executed_close(struct sd_executed *e)
{
    if (e == NULL)
        return;
    db_query_free(e->segments);
    db_close(e->db);
    free(e->ranges);
    free(e);
}

static void add(struct sd_executed *e, uint64_t start, uint64_t end)
{
    struct range *last = e->n > 0 ? &e->ranges[e->n - 1] : NULL;

    if (last != NULL && start <= last->end) {
        last->end = end > last->end ? end : last->end;
        return;
    }
    e->ranges = memory_grow(e->ranges, &e->room, e->n, sizeof *e->ranges);
    e->ranges[e->n++] = (struct range){start, end};
}

int sd_executed_read(struct sd_executed *e, const char *build_id,
                     struct diag *d)
{
    int rc;

    e->n = 0;
    db_bind_text(e->segments, 1, build_id);
    while ((rc = db_step(e->segments, d)) > 0)
        add(e, db_count(e->segments, 0), db_count(e->segments, 1));
    return rc;
}

bool sd_executed_in(const struct sd_executed *e, uint64_t start, uint64_t end)
{
    size_t low = 0, high = e->n;

    while (low < high) { /* the first range that ends behind start */
        size_t middle = low + (high - low) / 2;

        if (e->ranges[middle].end > start)
            high = middle;
        else
            low = middle + 1;
    }
    return low < e->n && e->ranges[low].start < end;
}
