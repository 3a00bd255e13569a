/*
 * cy_read: reads the databases into cy_data.  It has all queries of static.db
 * and deps.db, but those for windows (cy_windows_read) and for what passes
 * between threads (cy_threads).
 *
 * Objects are matched by build-id, as covcheck matches them.  Each database
 * numbers its objects and blocks anew, so its rows are joined by its own ids.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "db.h"
#include "executions.h"
#include "keys.h"
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

/* Passes the rows of queries, each in turn, of a deps.db to their callbacks.
   CY_CHOSEN is SQL for a row of a run that counts: of the program whose
   build-id is given, or any if that is NULL.  CY_OBJECTS selects the objects'
   ids, paths and build-ids, for cy_read_object. */
struct cy_rows {
    const char *sql;
    db_take *take;
};
int cy_read_rows(const char *deps, const char *program,
                 const struct cy_rows *rows, size_t n, void *context,
                 struct diag *d);
#define CY_CHOSEN " run_id NOT IN other"
#define CY_OBJECTS \
    "SELECT object_id, path, build_id FROM object ORDER BY object_id"

/* Adds such an object, and its id with its number among the objects. */
int cy_read_object(struct cy_object **objects, size_t *n, size_t *room,
                   struct ids *ids, struct db_query *row, struct diag *d);

/* --- What ran, by a deps.db: programs, those that their processes started and
   that were not recorded, and files with code --- */

/* A process that starts a program first makes a copy of itself, which has a run
   of its own; it counts for the program that started it. */

struct cy_ran_program {
    char *path;     /* of the executable; "": not known */
    char *build_id; /* "": not known */
    uint64_t n_runs, instructions;
    double cycles; /* of all its runs, as modelled; NAN: not known */
    bool is_first; /* its run began first */
};

/* Programs that were started and not recorded. */
struct cy_lost {
    char *path; /* as the call that started it named it; "": not known */
    char *by;   /* path of the program that started it; "": not known */
    uint64_t n; /* times */
};

struct cy_runs {
    struct cy_ran_program *programs; /* the most instructions first */
    size_t n_programs, programs_room;
    struct cy_lost *lost; /* the most often first */
    size_t n_lost, lost_room;
    uint64_t n_all_lost; /* times, of all of `lost` */
    bool follows;        /* was any program recorded that a run started? */
    struct ids ids;      /* run_id -> index in `programs` */
};

/* A file whose code ran. */
struct cy_ran_file {
    char *path, *build_id;
    uint32_t number; /* in the database, in the order of objects */
    bool is_program; /* some run executed it as its program */
    double share;    /* of the bytes of all executed instructions, in percent */
};

struct cy_ran {
    struct cy_ran_file *files; /* those with most first */
    size_t n_files, files_room;
    const struct cy_ran_file *program; /* the one that was asked for */
};

/* Is this the program of whose runs `data` has what is observed? */
bool cy_ran_is_chosen(const struct cy_ran_program *program,
                      const struct cy_data *data);

/* Reads which programs ran.  The caller calls cy_runs_fini, even after a
   failure. */
int cy_runs_read(struct cy_runs *runs, const char *deps, struct diag *d);
void cy_runs_fini(struct cy_runs *runs);

/* Finds a program, or a library, by its build-id among the files that ran.
   Shares are of the program's runs; of a library, of all.  -1: it did not run,
   or was rebuilt.  Call cy_ran_fini after a failure, too. */
int cy_ran_read(struct cy_ran *ran, const char *deps, const char *program,
                struct diag *d);
void cy_ran_fini(struct cy_ran *ran);

/* --- What only the files of depbound/read use --- */

/* A database while it is read. */
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
