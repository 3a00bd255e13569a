/*
 * sd_found: the pairs that walks show and flow allows -> where they are, and
 * what is said of them.
 *
 * They come in the order of the database's key, one at a time: there may be
 * millions, and only a report needs them together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FOUND_H
#define SD_FOUND_H

#include "diag.h"
#include "link/sd_link.h"
#include "out/sd_report.h"
#include "out/sd_walks.h"

/* What pairs are found in; all of it belongs to the caller. */
struct sd_finding {
    const struct sd_link *link;
    const struct sd_program *program;
    struct sd_walks *walks;
    const bool *is_wanted;    /* by block: both ends lie in such */
    const int64_t *block_ids; /* in the database */
    bool is_narrow;           /* only pairs within one function */
};

/* Is told of a pair; it and its levels last until that returns. */
typedef int sd_found_take(void *context, const struct sd_found *found,
                          struct diag *d);

/* Of all pairs with any support, sorted by blocks and addresses, first of the
   store.  The first status that is not 0 ends it, and is returned. */
int sd_found_each(const struct sd_finding *finding, sd_found_take *take,
                  void *context, struct diag *d);

#endif
