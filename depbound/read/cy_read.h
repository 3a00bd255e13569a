/*
 * cy_read: reads the databases into cy_data.  It has all queries of static.db
 * and deps.db.
 *
 * Objects are matched by build-id, as covcheck matches them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "model/cy_data.h"

/* Reads a static.db and, unless `deps` is NULL, what a deps.db executed.  If an
   object of the static.db is a program that ran, only the runs of the first
   such count. */
int cy_read(struct cy_data *data, const char *statics, const char *deps,
            struct diag *d);

/* Adds the observed dependencies of loads in these ranges, with their
   distances, of the deps.db that was read. */
int cy_read_observed(struct cy_data *data, const char *deps,
                     const struct cy_spans *spans, struct diag *d);

/* Has a deps.db windows? */
int cy_read_has_windows(const char *deps, bool *has, struct diag *d);

/* Adds what a static.db of block scope predicts for the objects of `data`. */
int cy_read_blocks(struct cy_data *data, const char *statics, struct diag *d);

/* Columns of the tables of windows, not checked; valid during the call. */
struct cy_piece_blob {
    int64_t run, object;
    uint64_t number, address;
    const uint8_t *insns;
    size_t insns_size;
};
struct cy_window_blobs {
    int64_t run;
    uint64_t thread, start, instructions;
    const uint8_t *path, *accesses, *gaps, *reuse, *lead;
    size_t path_size, accesses_size, gaps_size, reuse_size, lead_size;
};

/* A place of the branches before windows. */
enum cy_place_kind { CY_PLACE_CONDITIONAL, CY_PLACE_INDIRECT, CY_PLACE_TARGET };
struct cy_place_row {
    int64_t run, object;
    uint64_t number, address;
    enum cy_place_kind kind;
};

/* Callbacks for the rows. */
struct cy_read_of_windows {
    void (*run)(void *context, int64_t id, uint64_t recorded,
                bool has_threads); /* some loads read stores of other threads */
    void (*object)(void *context, int64_t id, const char *path,
                   const char *build_id);
    int (*piece)(void *context, const struct cy_piece_blob *blob,
                 struct diag *d);
    int (*place)(void *context, const struct cy_place_row *row, struct diag *d);
    int (*window)(void *context, const struct cy_window_blobs *blobs,
                  struct diag *d);
};

/* Passes to the callbacks the runs of a program, whose build-id is given, or
   all if that is NULL, and all objects of a deps.db in the order of their ids,
   then the windows' pieces by run and number, and the windows by run and
   start. */
int cy_read_windows(const char *deps, const char *program,
                    const struct cy_read_of_windows *take, void *context,
                    struct diag *d);

/* A pair of instructions between threads, over the chosen runs: loads of a
   value that another thread stored, or accesses that shared a line. */
struct cy_between_row {
    bool is_line, stores;           /* lines: does the access store? */
    int64_t src_object, dst_object; /* ids of the database */
    uint64_t src, dst, accesses;
    uint64_t turns; /* lines: of threads, with such accesses */
};

struct cy_read_of_between {
    void (*object)(void *context, int64_t id, const char *path,
                   const char *build_id);
    void (*loads)(void *context, uint64_t n); /* that read a stored value */
    void (*row)(void *context, const struct cy_between_row *row);
};

/* Passes to the callbacks all objects of a deps.db, the number of loads in the
   runs that cy_read_windows chooses by `program`, and the pairs between threads
   there, those with the most accesses of each kind first. */
int cy_read_between(const char *deps, const char *program,
                    const struct cy_read_of_between *take, void *context,
                    struct diag *d);
