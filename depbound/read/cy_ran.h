/*
 * cy_ran: the files whose code ran, by a deps.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_RAN_H
#define CY_RAN_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

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

/* Finds a program, or a library, by its build-id among the files that ran.
   Shares are of the program's runs; of a library, of all.  -1: it did not run,
   or was rebuilt.  Call cy_ran_fini after a failure, too. */
int cy_ran_read(struct cy_ran *ran, const char *deps, const char *program,
                struct diag *d);
void cy_ran_fini(struct cy_ran *ran);

#endif
