/*
 * cy_saved: reads a JSON report of depbound.
 *
 * Both sides of a comparison are such reports: an earlier one, from a file, and
 * the current one, as it would be printed, so that both are read alike.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_SAVED_H
#define CY_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* A saved dependency.  Texts live as long as the report; NULL: not known. */
struct cy_saved_dependency {
    const char *store_line, *load_line; /* "FILE:LINE" */
    const char *forwarding;             /* "forwarded", "renamed" or "failed" */
    double cycles; /* cycles that the chain waits for it in a round */
};

struct cy_saved_loop {
    const char *function, *region, *line, *limited_by;
    const char *function_line; /* line on which the function begins */
    uint64_t order;            /* position in the code of its build */
    uint64_t rounds;           /* number in all executions; 0: not known */
    double predicted;          /* predicted cycles of a round */
    bool is_least;
    struct cy_saved_dependency *dependencies;
    size_t n_dependencies;
};

struct cy_saved {
    struct cy_saved_loop *loops;
    size_t n_loops;
    uint64_t n_left_out;       /* loops that the report does not list */
    const char *by;            /* what `program` counts; NULL: not known */
    double program, low, high; /* cycles of the program; NAN: not known */
    struct json_t *document;   /* owns the texts */
};

/* Reads the output of --format=json.  The caller calls cy_saved_fini, even
   after a failure. */
int cy_saved_read(struct cy_saved *saved, const char *path, struct diag *d);

/* Reads n bytes of a JSON report, which messages call `path`. */
int cy_saved_parse(struct cy_saved *saved, const char *text, size_t n,
                   const char *path, struct diag *d);

/* Can two reports be compared?  -1 with *d set if they are of different
   versions, processors or options; `path` is the file of the first. */
int cy_saved_check(const struct cy_saved *before, const struct cy_saved *now,
                   const char *path, struct diag *d);

void cy_saved_fini(struct cy_saved *saved);

#endif
