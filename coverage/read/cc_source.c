/*
 * cc_source: a database that is opened again when its turn comes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cc_objects.h"

#include <sys/stat.h>

/* What another writer, or another file in its place, changes.  Limit: not what
   is in a write-ahead log, which none of our programs uses. */
static int take_stamp(struct cc_source *source, const struct stat *st,
                      struct cc_stamp *stamp, struct diag *d)
{
    *stamp = (struct cc_stamp){
        .device = (uint64_t)st->st_dev,
        .inode = (uint64_t)st->st_ino,
        .size = (uint64_t)st->st_size,
        .seconds = (uint64_t)st->st_mtim.tv_sec,
        .nanoseconds = (uint64_t)st->st_mtim.tv_nsec,
    };
    return db_change_counter(source->db, &stamp->counter, d);
}

static bool is_same(const struct cc_stamp *a, const struct cc_stamp *b)
{
    return a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds && a->counter == b->counter;
}

int cc_source_open(struct cc_source *source, struct diag *d)
{
    struct cc_stamp stamp;
    struct stat st = {0};

    if (source->db != NULL)
        return 0;
    /* A file that is replaced between the two is not taken for the same. */
    stat(source->path, &st);
    source->db = db_open(source->path, source->kind, d);
    /* Tables are read once from end to end: a small cache (in KiB) that stays
       in that of the processor is the fastest.  In a transaction: another run
       may be added to the database while it is read. */
    if (source->db == NULL ||
        db_exec(source->db, "PRAGMA cache_size = -200; BEGIN", d) != 0 ||
        take_stamp(source, &st, &stamp, d) != 0)
        return -1;
    if (source->was_open && !is_same(&source->stamp, &stamp))
        return diag_set(d, "%s: it changed while it was read", source->path);
    source->stamp = stamp;
    source->was_open = true;
    return 0;
}

int cc_damaged(const struct cc_source *source, const char *what, struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", source->path, what);
}

void cc_source_rest(struct cc_source *source)
{
    if (source->stays_open)
        return;
    db_close(source->db);
    source->db = NULL;
}
