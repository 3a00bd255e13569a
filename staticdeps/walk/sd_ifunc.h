/*
 * sd_ifunc: what the resolver of an IFUNC may choose.
 *
 * A resolver looks at the processor, which nobody knows here, so it is not run:
 * its candidates are the functions whose addresses its own code computes, and
 * each walk takes one of them: of those that the walks of the same root took
 * the least, one is drawn, since a few walks that all draw the same one would
 * look as if there were no more to see.  A pair within a candidate, or with its
 * caller, has the support of the walks that took it.
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

/* Of a resolver. */
struct sd_ifunc_resolver {
    size_t first, n;     /* candidates */
    uint32_t walk, root; /* of the last choice; 0: there was none */
    uint64_t chosen;     /* then */
};

struct sd_ifuncs {
    const struct sd_program *program;
    struct sd_ifunc_resolver *resolvers; /* in the program's order */
    struct sd_candidate {
        uint64_t address;
        uint32_t taken; /* by walks of the resolver's root */
    } * candidates;
    size_t n_candidates, room;
};

/* Of the program's resolvers.  Its code must not have been run so far. */
void sd_ifuncs_init(struct sd_ifuncs *ifuncs, struct sd_chunks *chunks);
void sd_ifuncs_fini(struct sd_ifuncs *ifuncs);

/* What the resolver that a mark (SD_IFUNC_MARK) names chooses in a walk of a
   root, both numbered from 1, and with that key; 0: nothing that is known.  In
   the same walk it is the same each time. */
uint64_t sd_ifuncs_choose(struct sd_ifuncs *ifuncs, uint64_t mark,
                          uint32_t root, uint32_t walk, uint64_t key);

#endif
