/*
 * cy_runs: what ran, by a deps.db: the programs whose runs it has, those that
 * their processes started and that were not recorded, and files with code.
 *
 * A process that starts a program first makes a copy of itself, which has a run
 * of its own; it counts for the program that started it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "keys.h"
#include "model/cy_data.h"

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
