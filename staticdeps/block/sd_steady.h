/*
 * sd_steady: finds the iteration from which a block only repeats itself.
 *
 * Two iterations in a row tell how far each value moves.  A value is even if it
 * moves equally far in each later iteration: values that do not move at all,
 * and sums of even values.  It is random if it is a new random number each
 * time, or the sum of one and an even value.  All other values are lost: their
 * motion is unknown.  If all addresses are even or random, and those that are
 * near each other move alike, then all iterations after the largest delta k
 * have the same pairs.
 *
 * Limits: a block does not settle, so that all its iterations are run, if it
 * has a lost address or guard, a rep prefix with a known count, a rotating
 * register file, or loads and stores that are near each other but move
 * differently.
 *
 * It costs as much as a few iterations: each operation is visited, and the
 * accesses are sorted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_STEADY_H
#define SD_STEADY_H

#include "block/sd_trace.h"

/* What a site did: loads or stores at an address that is bottom; a load of a
   byte that has a writer. */
enum { SD_UNKNOWN_LOAD = 1, SD_UNKNOWN_STORE = 2, SD_IS_WRITTEN = 4 };

/* A block that has not settled after this many iterations never does. */
#define SD_MAX_NOTES 5

/* How a value moves, from best to worst. */
enum sd_motion { SD_EVEN, SD_RANDOM, SD_LOST };

/* The bytes that an access extends over, and how they move. */
struct sd_extent {
    uint64_t address;
    uint64_t step; /* how far it moved since the last iteration */
    uint32_t size;
    uint32_t op;    /* the number of its operation */
    uint32_t value; /* the temporary that is loaded or stored */
    uint8_t motion; /* of the address; SD_LOST: an earlier iteration's store */
    bool is_store;
    bool is_needed; /* a load of a needed value */
    bool is_lost;   /* a store of a value that is not SD_EVEN */
};

struct sd_steady {
    /* The temporaries after iterations, the last one first. */
    struct sd_note {
        struct sd_value *temps;
        size_t room;
    } notes[SD_MAX_NOTES];
    size_t n_notes;   /* of this run */
    uint8_t *motions; /* by temporary */
    uint8_t *spoilt;  /* by operation: a load of bytes that stores may change */
    struct sd_word {
        uint32_t get, put; /* temporaries; UINT32_MAX: none */
        uint8_t motion;    /* at the start of an iteration */
    } words[SD_N_WORDS];
    struct sd_extent *extents;
    size_t n_extents;
    size_t motions_room, spoilt_room, extents_room;
};

void sd_steady_fini(struct sd_steady *steady);

/* Notes the values of the iteration that a trace has just run. */
void sd_steady_note(struct sd_steady *steady, const struct sd_trace *trace);

/* Compares the iteration that the trace has just run with the one noted last.
   If what they show holds for `left` iterations, returns the number of
   iterations, from the one noted last, until all pairs have occurred, which is
   1 or more; else 0.  On the first call, all iterations before must have been
   noted.  `did` has, by site, what it has ever done. */
uint32_t sd_steady_rounds(struct sd_steady *steady,
                          const struct sd_trace *trace, uint32_t left,
                          bool is_second, const uint8_t *did);

/* Looks at s->extents for sd_steady_rounds(): the number of iterations until
   all their pairs have occurred, or 0.  Marks the loads that stores may change
   as spoilt, and then sets *spoils. */
uint32_t sd_extents_meet(struct sd_steady *s, const struct sd_trace *trace,
                         uint32_t left, uint32_t n_random, bool *spoils);

#endif
