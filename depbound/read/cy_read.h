/*
 * cy_read: the databases -> cy_data.  All queries of static.db and deps.db are
 * here.
 *
 * Objects are matched by build-id, as covcheck matches them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_READ_H
#define CY_READ_H

#include "diag.h"
#include "model/cy_data.h"

/* Reads a static.db and, unless it is NULL, a deps.db. */
int cy_read(struct cy_data *data, const char *statics, const char *deps,
            struct diag *d);

/* Did a program run in a deps.db?  -1 if not, or if it was rebuilt since. */
int cy_read_ran(const char *deps, const char *program, struct diag *d);

/* Adds what a static.db of block scope predicts for the same objects. */
int cy_read_blocks(struct cy_data *data, const char *statics, struct diag *d);

/* Rows of the tables of windows, not checked; valid during the call. */
struct cy_piece_blob {
    int64_t run, object;
    uint64_t number, address;
    const uint8_t *insns;
    size_t insns_size;
};
struct cy_window_blobs {
    int64_t run;
    uint64_t thread, start, instructions;
    const uint8_t *path, *accesses, *gaps;
    size_t path_size, accesses_size, gaps_size;
};

/* What takes the rows. */
struct cy_read_of_windows {
    void (*run)(void *context, int64_t id, uint64_t recorded,
                bool has_threads); /* loads of what another thread stored */
    void (*object)(void *context, int64_t id, const char *path,
                   const char *build_id);
    int (*piece)(void *context, const struct cy_piece_blob *blob,
                 struct diag *d);
    int (*window)(void *context, const struct cy_window_blobs *blobs,
                  struct diag *d);
};

/* Hands over all runs and all objects of a deps.db in the order of their ids,
   then the pieces of its windows by run and number, and its windows by run and
   start. */
int cy_read_windows(const char *deps, const struct cy_read_of_windows *take,
                    void *context, struct diag *d);

#endif
