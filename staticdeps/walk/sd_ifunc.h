/*
 * sd_ifunc: what the resolver of an IFUNC may choose.
 *
 * A resolver looks at the processor, which nobody knows here, so it is not run:
 * its candidates are the functions whose addresses its own code computes, and
 * each walk draws one of them.  A pair within one of them, or with its caller,
 * has the support of the walks that drew it.
 *
 * Not seen: candidates that a resolver reads from a table, or whose addresses
 * are computed in a function that it calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_IFUNC_H
#define SD_IFUNC_H

#include "link/sd_link.h"
#include "walk/sd_chunk.h"

struct sd_ifuncs {
    const struct sd_program *program;
    uint64_t *candidates; /* addresses */
    size_t *first;        /* by resolver: of its candidates; and of all */
    size_t n_candidates, room;
};

/* Of the program's resolvers.  Its code must not have been run so far. */
void sd_ifuncs_init(struct sd_ifuncs *ifuncs, struct sd_chunks *chunks);
void sd_ifuncs_fini(struct sd_ifuncs *ifuncs);

/* What the resolver that a mark (SD_IFUNC_MARK) names chooses in the walk of
   that key; 0: nothing that is known. */
uint64_t sd_ifuncs_choose(const struct sd_ifuncs *ifuncs, uint64_t mark,
                          uint64_t key);

#endif
