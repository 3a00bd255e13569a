/*
 * sd_walker: what a walk is at, and what it has found.  Private to sd_walk and
 * sd_force.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_WALKER_H
#define SD_WALKER_H

#include "lift/sd_lift.h"
#include "run/sd_chunk.h"
#include "run/sd_decide.h"
#include "run/sd_pairs.h"
#include "run/sd_recall.h"
#include "run/sd_rules.h"

#define SD_MOST_FRAMES 16

struct sd_frame {
    struct sd_chunk *caller;
    uint64_t stack_pointer; /* then */
    uint64_t deadline;      /* the call is cut short then */
    uint32_t serial;        /* of the calls of a walk */
    struct sd_drawn saved[40];
};

/* A load of something drawn. */
struct sd_loaded {
    uint64_t address, bits;
    unsigned size; /* in bytes; 0: none */
};

struct sd_store {
    uint32_t site;
    uint32_t visit; /* of its chunk */
    uint32_t time;
};

#define SD_N_ORIGINS 32
#define SD_N_MEMO    256

struct sd_walker {
    const struct sd_program *program;
    unsigned rules;
    unsigned depth; /* calls are entered so deep */
    struct sd_abi abi;
    const struct sd_initial *initial;
    struct sd_chunks chunks;
    struct sd_recall recall;
    struct sd_pairs pairs;
    struct sd_drawn registers[SD_N_WORDS];

    uint64_t key, n_random;
    uint64_t time, fuel; /* in instructions */
    uint32_t walk;       /* its number, from 1 on */
    uint32_t root;       /* the function's whose walks these are */
    bool is_again;       /* call the function again when it returns */
    uint64_t entry;
    struct sd_frame frames[SD_MOST_FRAMES + 1];
    unsigned n_frames;
    uint32_t serial;
    struct sd_store *stores; /* by number, from 1 on */
    size_t n_stores, stores_room;
    struct sd_loaded origins[SD_N_ORIGINS];
    unsigned n_origins;
    struct sd_memo {
        uint64_t key;
        uint32_t walk;
        bool holds;
    } memo[SD_N_MEMO];

    uint32_t *visited; /* blocks of the current walk */
    size_t n_visited, visited_room;
    uint32_t *last_visit; /* by block: the walk */
    uint64_t n_insns;     /* of all walks */
};

/* Another random number of the current walk. */
static inline uint64_t sd_walker_random(struct sd_walker *w)
{
    return sd_random(w->key, w->n_random++);
}

/* The same as a number of that many bits. */
static inline struct sd_drawn sd_walker_draw(struct sd_walker *w,
                                             unsigned width)
{
    uint64_t mask = sd_mask(width);

    return (struct sd_drawn){sd_walker_random(w) & mask, mask};
}

#endif
