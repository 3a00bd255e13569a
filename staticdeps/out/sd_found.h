/*
 * sd_found: locates the pairs that walks show and flow allows, and computes
 * what is reported about them.
 *
 * Pairs are passed on one at a time, in the order of the database's key: there
 * may be millions, and only a report needs all of them together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FOUND_H
#define SD_FOUND_H

#include "diag.h"
#include "link/sd_link.h"
#include "out/sd_report.h"
#include "out/sd_walks.h"

/* The input; all of it belongs to the caller. */
struct sd_finding {
    const struct sd_link *link;
    const struct sd_program *program;
    struct sd_walks *walks;
    const bool
        *is_wanted; /* by block; both ends of a pair must be in such blocks */
    const int64_t *block_ids; /* in the database */
    bool is_narrow;           /* only pairs within one function */
};

/* Takes a pair; it and its levels are valid only during the call. */
typedef int sd_found_take(void *context, const struct sd_found *found,
                          struct diag *d);

/* Calls `take` with each pair that has support, sorted by the store's block and
   address, then the load's.  The first result other than 0 ends this, and is
   returned. */
int sd_found_each(const struct sd_finding *finding, sd_found_take *take,
                  void *context, struct diag *d);

#endif
