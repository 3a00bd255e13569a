/*
 * cc_outside: in which files the occurrences lie that no analysis saw.
 *
 * One end of them, at least, is in no block.  Each counts for the file of its
 * load if the load is such an end, else for that of its store, so that the sum
 * over the files is CC_OUTSIDE's of cc_where_count.
 *
 * Pure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_OUTSIDE_H
#define COVERAGE_CC_OUTSIDE_H

#include "model/cc_data.h"

struct cc_outside_file {
    const char *path;      /* of the data */
    bool is_analysed;      /* but not this code of it */
    uint64_t *occurrences; /* at each of the bounds */
};

/* The files with such occurrences, those with most at the first bound first. */
struct cc_outside {
    struct cc_outside_file *files;
    size_t n;
    size_t n_listed;       /* the first, which are worth a reader's time */
    uint64_t *occurrences; /* of all files */
};

/* Of matched data.  cc_outside_fini frees what it returns. */
struct cc_outside cc_outside_new(const struct cc_data *data);
void cc_outside_fini(struct cc_outside *outside);

/* Can the file be analysed?  Code without a file has a path in brackets. */
bool cc_outside_can(const struct cc_outside_file *file);

/* A command for the shell that analyses the objects of static.db and the files
   that are listed; NULL if it would add nothing.  The caller frees it. */
char *cc_outside_command(const struct cc_data *data,
                         const struct cc_outside *outside);

#endif
