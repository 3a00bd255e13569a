/*
 * sd_rounds: in which rounds of loops a walk is and was, and which loops it
 * re-entered.
 *
 * Each time control comes to the header of a loop, a round begins, which knows
 * the round of the loop around it.  So one number, that of the innermost round,
 * says where in all loops of all calls a walk is.  A store keeps this number,
 * and a load finds out, for each loop that holds both, how many rounds lie
 * between them.  Rounds are counted from 0 on since the loop was entered.  In a
 * walk that begins inside the loop, their numbers are not known.
 *
 * For each loop it is known when control came to it from outside, and when it
 * last came to a header.  A loop contains the path from a store to a load if it
 * was entered before the store.  Of such loops around the load, only the
 * innermost can have been re-entered in between: to re-enter an outer one,
 * control would have left the innermost.
 *
 * Limits: rounds are not counted in loops with several headers, nor in those
 * inside SD_MOST_LEVELS others.  Rounds that no walk takes are not checked.  If
 * a function calls itself, only the latest of its calls that came to a loop is
 * known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "program/sd_program.h"

#define SD_MOST_LEVELS 6

#define SD_NO_ROUND 0u

struct sd_round {
    uint32_t outer; /* the round of the loop around it, or around the call */
    uint32_t loop, frame;
    uint32_t number; /* number of the round in its run of the loop */
    uint32_t run;    /* the first round of the run */
    bool is_known;   /* is `number` known? */
};

/* How many rounds the runs of a loop had in a walk. */
struct sd_rounds_seen {
    uint32_t walk;
    uint32_t least, most; /* rounds of runs that ended */
    uint32_t most_cut;    /* the most rounds of runs cut short */
    uint32_t n_headers;
};

/* When control came to a loop from outside, and last to one of its headers. */
struct sd_entry_of_loop {
    uint32_t walk, frame; /* where control came to the loop */
    uint32_t header;      /* the latest header */
    uint64_t entered, last;
};

struct sd_rounds {
    const struct loops *loops;
    const struct sd_node *nodes;      /* indexed by block */
    struct sd_rounds_seen *seen;      /* indexed by loop */
    struct sd_entry_of_loop *entries; /* indexed by loop */
    struct sd_round *list;            /* the rounds of a walk, from 1 on */
    size_t n, room;
    uint32_t walk, now;
};

/* Starts without rounds, for a program of n_blocks blocks. */
void sd_rounds_init(struct sd_rounds *r, const struct loops *loops,
                    const struct sd_node *nodes, size_t n_blocks);
void sd_rounds_fini(struct sd_rounds *r);

/* Begin and end a walk; `walk` is its number, from 1 on. */
void sd_rounds_begin(struct sd_rounds *r, uint32_t walk);
void sd_rounds_leave_all(struct sd_rounds *r);

/* Are a frame and a loop those of the innermost round?  Mostly they are. */
static inline bool sd_rounds_are_in(const struct sd_rounds *r, uint32_t frame,
                                    uint32_t loop)
{
    return r->list[r->now].loop == loop && r->list[r->now].frame == frame;
}

/* Notes that control arrives, in a frame, at the start or in the middle of a
   block.  A call has a frame of a larger number than its caller. */
void sd_rounds_arrive(struct sd_rounds *r, uint32_t frame, uint32_t block,
                      bool is_begin);

/* Counts more rounds of the innermost loop. */
void sd_rounds_skip(struct sd_rounds *r, uint32_t rounds);

/* Makes the numbers of rounds of the innermost loop unknown from now on. */
void sd_rounds_lose(struct sd_rounds *r);

/* The round that comes `rounds` rounds after `round`, in the current run of the
   innermost loop; SD_NO_ROUND if `round` is not of this run. */
uint32_t sd_rounds_ahead(struct sd_rounds *r, uint32_t round, uint32_t rounds);

/* The loops that hold two places, then and now, the outermost first. */
struct sd_nest {
    uint32_t n;                     /* loops */
    uint32_t loop;                  /* the innermost */
    uint32_t run;                   /* run of the outermost loop */
    uint32_t at[SD_MOST_LEVELS];    /* the round of each loop now */
    int32_t rounds[SD_MOST_LEVELS]; /* rounds of each from then to now */
};

/* Stores into *nest the loops of a frame that hold the place of round `then`
   and the place of now; false if there are none, or they are not known. */
bool sd_rounds_since(const struct sd_rounds *r, uint32_t frame, uint32_t then,
                     struct sd_nest *nest);

/* The most rounds that a run of a loop had in the walk; UINT32_MAX if not
   known, since some runs did not end. */
uint32_t sd_rounds_most(const struct sd_rounds *r, uint32_t loop);

/* Notes that control arrives at a header, in a frame; `from` is the block
   before, UINT32_MAX if there is none. */
void sd_rounds_note_entry(struct sd_rounds *r, uint32_t frame, uint32_t header,
                          uint32_t from, uint64_t time);

/* The latest header, plus 1, of the loop around `block` that was re-entered
   since `time`, when the frame already existed; 0 if no loop was re-entered. */
uint32_t sd_rounds_reentered(const struct sd_rounds *r, uint32_t frame,
                             uint32_t block, uint64_t time);
