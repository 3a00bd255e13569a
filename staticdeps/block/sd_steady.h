/*
 * sd_steady: finds the iteration from which a block only repeats itself.
 *
 * Two iterations in a row tell how far each value moves.  A value is even if it
 * moves equally far in each later iteration: values that do not move at all,
 * and sums of even values.  A value is random if it is a new random number in
 * each iteration, or the sum of such a number and an even value.  All other
 * values are lost: their motion is unknown.  If all addresses are even or
 * random, and addresses that are near each other move alike, then all
 * iterations after the largest delta k have the same pairs.
 *
 * Limits: a block does not settle, so that all its iterations are run, if it
 * has a lost address or guard, a rep prefix with a known count, a rotating
 * register file, or loads and stores that are near each other but move
 * differently.
 *
 * The test costs as much as a few iterations: it visits each operation, and
 * sorts the accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "block/sd_trace.h"

/* What a site did: a load or a store at an address that is bottom; a load of a
   byte that has a writer. */
enum { SD_UNKNOWN_LOAD = 1, SD_UNKNOWN_STORE = 2, SD_IS_WRITTEN = 4 };

/* A block that has not settled after this many iterations never does. */
#define SD_MAX_NOTES 5

/* How a value moves, from best to worst. */
enum sd_motion { SD_EVEN, SD_RANDOM, SD_LOST };

/* The bytes that an access extends over, and how they move. */
struct sd_extent {
    uint64_t address;
    uint64_t step; /* how far `address` moved in one iteration */
    uint32_t size;
    uint32_t op;    /* the number of the operation of the access */
    uint32_t value; /* the temporary that is loaded or stored */
    uint8_t motion; /* of the address; SD_LOST: store of an earlier iteration */
    bool is_store;
    bool is_needed; /* a load of a needed value */
    bool is_lost;   /* a store of a value that is not SD_EVEN */
};

struct sd_steady {
    /* The temporaries at the end of iterations, the latest first. */
    struct sd_note {
        struct sd_value *temps;
        size_t room;
    } notes[SD_MAX_NOTES];
    size_t n_notes;   /* notes of this run */
    uint8_t *motions; /* motions by temporary */
    uint8_t *spoilt;  /* by operation: may stores change what it loads? */
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
   If the motions seen in them hold for `left` iterations, returns the number of
   iterations, at least 1, from the one noted last until all pairs have
   occurred; otherwise, returns 0.  On the first call, all iterations before
   must have been noted.  `did` has, by site, what a site has ever done. */
uint32_t sd_steady_rounds(struct sd_steady *steady,
                          const struct sd_trace *trace, uint32_t left,
                          bool is_second, const uint8_t *did);
