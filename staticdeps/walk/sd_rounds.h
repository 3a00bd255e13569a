/*
 * sd_rounds: in which round of which loops a walk is, and was.
 *
 * Each coming of control to the header of a loop begins a round, which knows
 * the round of the loop around it.  So one number, that of the innermost round,
 * says where in all loops of all calls a walk is.  A store keeps that number,
 * and a load finds out how many rounds of each loop that holds both lie
 * between.
 *
 * Rounds are counted from 0 on, from where the loop is entered.  The number is
 * not known in a walk that begins in the loop.
 *
 * Limits: loops with several headers have no rounds to count, and neither has
 * what lies in SD_MOST_LEVELS others.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ROUNDS_H
#define SD_ROUNDS_H

#include "flow/sd_loops.h"
#include "flow/sd_node.h"

#define SD_MOST_LEVELS 6
#define SD_NO_ROUND    0u

struct sd_round {
    uint32_t outer; /* the round of the loop around it, or around the call */
    uint32_t loop, frame;
    uint32_t number; /* of the rounds of a run of the loop */
    uint32_t run;    /* its first round */
    bool is_known;   /* is the number? */
};

/* How many rounds the runs of a loop had in a walk. */
struct sd_rounds_seen {
    uint32_t walk;
    uint32_t least, most; /* of runs that ended */
    uint32_t most_cut;    /* of others */
    uint32_t n_headers;
};

struct sd_rounds {
    const struct sd_loops *loops;
    const struct sd_node *nodes; /* by block */
    struct sd_rounds_seen *seen; /* by loop */
    struct sd_round *list;       /* of a walk, from 1 on */
    size_t n, room;
    uint32_t walk, now;
};

/* Starts without rounds, for a program of this many blocks. */
void sd_rounds_init(struct sd_rounds *r, const struct sd_loops *loops,
                    const struct sd_node *nodes, size_t n_blocks);
void sd_rounds_fini(struct sd_rounds *r);

/* Another walk begins, and ends. */
void sd_rounds_begin(struct sd_rounds *r, uint32_t walk);
void sd_rounds_leave_all(struct sd_rounds *r);

/* Are a frame and a loop those of the innermost round?  Mostly they are. */
static inline bool sd_rounds_are_in(const struct sd_rounds *r, uint32_t frame,
                                    uint32_t loop)
{
    return r->list[r->now].loop == loop && r->list[r->now].frame == frame;
}

/* In a frame, control comes to the begin of a block, or to its middle.  The
   frames of calls have larger numbers than those of their callers. */
void sd_rounds_arrive(struct sd_rounds *r, uint32_t frame, uint32_t block,
                      bool is_begin);

/* Counts more rounds of the innermost loop. */
void sd_rounds_skip(struct sd_rounds *r, uint32_t rounds);

/* The numbers of its rounds are not known any more. */
void sd_rounds_lose(struct sd_rounds *r);

/* The round that many rounds after one of the current run of the innermost
   loop; SD_NO_ROUND if it is none of that. */
uint32_t sd_rounds_ahead(struct sd_rounds *r, uint32_t round, uint32_t rounds);

/* The loops that hold two places, the outermost first. */
struct sd_nest {
    uint32_t n;                     /* of them */
    uint32_t loop;                  /* the innermost */
    uint32_t run;                   /* of the outermost */
    uint32_t at[SD_MOST_LEVELS];    /* the round of each now, */
    int32_t rounds[SD_MOST_LEVELS]; /* and that minus the one then */
};

/* From a round to now, in a frame; false if no loop of the frame holds both, or
   it is not known. */
bool sd_rounds_since(const struct sd_rounds *r, uint32_t frame, uint32_t then,
                     struct sd_nest *nest);

/* The most rounds of a loop's runs in the walk; UINT32_MAX if that is not
   known, since some did not end. */
uint32_t sd_rounds_most(const struct sd_rounds *r, uint32_t loop);

#endif
