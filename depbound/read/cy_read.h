/*
 * cy_read: reads the databases into cy_data.  It has all queries of static.db
 * and deps.db.
 *
 * Objects are matched by build-id, as covcheck matches them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

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
