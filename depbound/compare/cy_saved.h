/*
 * cy_saved: a JSON report of depbound, read again.
 *
 * Both sides of a comparison are such reports: an earlier one, from a file, and
 * that of now, as it would be printed.  So what the two have cannot differ in
 * how it was found.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_SAVED_H
#define CY_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* Texts live as long as the report; those that are not known are NULL. */
struct cy_saved_dependency {
    const char *store_line, *load_line; /* "FILE:LINE" */
    const char *forwarding;             /* "forwarded", "renamed", "failed" */
    double cycles; /* that the chain waits for it in a round */
};

struct cy_saved_loop {
    const char *function, *region, *line, *limited_by;
    const char *function_line; /* where the function begins */
    uint64_t order;            /* of loops in the code of one build */
    uint64_t rounds;           /* 0: not known */
    double predicted;          /* cycles of a round */
    bool is_least;
    struct cy_saved_dependency *dependencies;
    size_t n_dependencies;
};

struct cy_saved {
    struct cy_saved_loop *loops;
    size_t n_loops;
    uint64_t n_left_out; /* loops that the report does not list */
    const char *by;      /* what the cycles of the program are of; NULL: they
                            are not known */
    double program, low, high; /* cycles, and their interval; NAN: not known */
    struct json_t *document;   /* what the texts belong to */
};

/* Reads what --format=json printed.  The caller calls cy_saved_fini, after a
   failure, too. */
int cy_saved_read(struct cy_saved *saved, const char *path, struct diag *d);

/* Reads n bytes of such a report, which messages call `path`. */
int cy_saved_parse(struct cy_saved *saved, const char *text, size_t n,
                   const char *path, struct diag *d);

/* Do the figures of two reports have one meaning?  -1 with *d set if they are
   of two versions, processors or options; `path` is the file of the first. */
int cy_saved_check(const struct cy_saved *before, const struct cy_saved *now,
                   const char *path, struct diag *d);

void cy_saved_fini(struct cy_saved *saved);

#endif
