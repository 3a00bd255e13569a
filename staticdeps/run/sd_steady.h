/*
 * sd_steady: from which iteration on a block only repeats itself.
 *
 * Two iterations in a row tell how far each value moves.  A value is even if it
 * moves as far in each iteration to come: what does not move at all, and sums
 * of even values.  It is random if it is another random number each time, or
 * is even beside one.  Of all others nothing is known; they are lost.  If all
 * addresses are even or random, and those that are near each other move alike,
 * then all iterations have the same pairs, once the largest delta k has passed.
 *
 * Limits: a lost address or guard, rep prefixes of a known count, rotating
 * register files, and loads and stores that are near each other but move
 * differently.  Such a block does not settle, and all of its iterations have to
 * be run.
 *
 * The cost is that of a few iterations: each operation is looked at, and the
 * accesses are sorted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_STEADY_H
#define SD_STEADY_H

#include "run/sd_trace.h"

/* How a value moves; each is worse than the one before. */
enum sd_motion { SD_EVEN, SD_RANDOM, SD_LOST };

/* An access. */
struct sd_reach {
    uint64_t address, step; /* how far it moved since the iteration before */
    uint32_t size;
    uint32_t op;    /* its number */
    uint32_t value; /* the temporary that is loaded or stored */
    uint8_t motion; /* of the address; lost: a store of another iteration */
    bool is_store;
    bool is_needed; /* a load whose value matters */
    bool is_lost;   /* a store of a value that is not even */
};

/* A block settles in one of its first iterations, or not at all. */
#define SD_MAX_NOTES 5

struct sd_steady {
    /* The temporaries after iterations, the last one first. */
    struct sd_note {
        struct sd_value *temps;
        size_t room;
    } notes[SD_MAX_NOTES];
    size_t n_notes;
    uint8_t *motions; /* by temporary */
    uint8_t *spoilt;  /* by operation: a load of what stores may change */
    struct sd_word {
        uint32_t get, put; /* temporaries; UINT32_MAX: none */
        uint8_t motion;    /* when an iteration begins */
    } words[SD_N_WORDS];
    struct sd_reach *reaches;
    size_t n_reaches;
    size_t motions_room, spoilt_room, reaches_room;
};

void sd_steady_fini(struct sd_steady *steady);

/* Begins a run. */
void sd_steady_begin(struct sd_steady *steady);
/* Notes the values of the iteration that a trace has just run. */
void sd_steady_note(struct sd_steady *steady, const struct sd_trace *trace);

/* Compares the iteration that the trace has just run with the one noted last.
   If what they show holds for `left` iterations: how many, from the one noted
   last, it takes until all pairs have occurred, 1 or more; else 0.  Unless it
   is the second look, all iterations before were noted.  `did` has, by site,
   `flag` if a load there ever read what a site wrote. */
uint32_t sd_steady_rounds(struct sd_steady *steady,
                          const struct sd_trace *trace, uint32_t left,
                          bool is_second, const uint8_t *did, uint8_t flag);

/* A step of it: how many iterations it takes for the pairs of `reaches`, or 0.
   Marks as spoilt the loads that stores may change, and sets *spoils. */
uint32_t sd_steady_meet(struct sd_steady *steady, const struct sd_trace *trace,
                        uint32_t left, uint32_t n_random, bool *spoils);

#endif
