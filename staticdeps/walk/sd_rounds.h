/*
 * sd_rounds: in which rounds of loops a walk is and was, and what these say
 * about the pairs that it shows: the distance vectors on which walks agree, and
 * the loops that were re-entered.
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
 * A vector has, for a pair, the number of rounds of each loop between store and
 * load.  Each time a walk shows a pair, it shows a vector and an address.  A
 * pair keeps its vector as long as all walks show the same one, and the address
 * is an affine function of the rounds' numbers in each walk.  All drawn numbers
 * differ from walk to walk, also those by which addresses move.  A vector
 * counts if it was checked in three or more rounds of each loop, and if in two
 * walks it is the only vector that the pair could have.  Only the loops of the
 * function in which both ends lie count, and pairs between two calls of this
 * function have no vector.
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
#include "keys.h"

#define SD_MOST_LEVELS 6
#define SD_PROOFS      2 /* walks that must prove a vector */

/* A vector on which walks agree. */
struct sd_agreed {
    uint32_t src, dst; /* sites, from 1 on */
    uint32_t loop;     /* the innermost loop that holds both */
    uint16_t n_proofs; /* walks that allow no other vector */
    uint8_t n;         /* loops */
    uint8_t checked;   /* bit mask of loops that went three rounds */
    int32_t rounds[SD_MOST_LEVELS]; /* of each loop, the outermost first */
};

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

/* --- Test whether a pair can have only one distance vector --- */

struct sd_equation {
    uint32_t n;                     /* number of loops, the outermost first */
    int64_t steps[SD_MOST_LEVELS];  /* how a round of each moves addresses */
    uint32_t most[SD_MOST_LEVELS];  /* the most rounds; UINT32_MAX: not known */
    int32_t vector[SD_MOST_LEVELS]; /* rounds from the store to the load */
    /* The bytes of store and load overlap if the store moves, from its place
       with this vector, by more than `below` and less than `above`. */
    int32_t below, above;
    bool may_be_first; /* may the store come before the load in a round? */
};

/* Is the vector the only one that the addresses allow? */
bool sd_equation_has_one_solution(const struct sd_equation *e);

/* --- The vectors of a function's walks --- */

/* A load that shows a pair. */
struct sd_shown {
    uint32_t src, dst;
    const void *part; /* part of the load, if an instruction has several */
    uint64_t address; /* the address of the load */
    int32_t offset;   /* from the start of the store to that of the load */
    uint32_t loaded, stored; /* bytes */
    bool may_be_first; /* may the store come before the load in a round? */
};

struct sd_vectors {
    const struct sd_rounds *rounds;
    struct sd_vector_of *list; /* indexed by the number of the key */
    size_t room;
    struct keys keys;
    uint32_t *touched; /* pairs shown in the current walk */
    size_t n_touched, touched_room;
    struct sd_agreed *agreed;
    size_t agreed_room;
};

void sd_vectors_init(struct sd_vectors *v, const struct sd_rounds *rounds);
void sd_vectors_fini(struct sd_vectors *v);
void sd_vectors_clear(struct sd_vectors *v);

/* Notes that the walk of *v->rounds shows a pair and its vector.  Returns false
   if the pair thereby loses its vector. */
bool sd_vectors_see(struct sd_vectors *v, const struct sd_shown *shown,
                    const struct sd_nest *nest);

/* Ends a walk, after sd_rounds_leave_all(). */
void sd_vectors_end_walk(struct sd_vectors *v);

/* The vectors on which the walks agree; stores their number into *n. */
const struct sd_agreed *sd_vectors_list(struct sd_vectors *v, size_t *n);

/* --- The vectors on which the walks of several functions agree --- */

/* A structure of zeros is empty. */
struct sd_agreements {
    struct sd_agreed *list; /* by number of the key; loop 0: walks disagree */
    size_t room;
    struct keys keys;
};

void sd_agreements_fini(struct sd_agreements *a);
void sd_agreements_add(struct sd_agreements *a, const struct sd_agreed *agreed);

/* The vector of a pair, if all walks agree on it, and enough walks prove it;
   otherwise NULL. */
const struct sd_agreed *sd_agreements_of(const struct sd_agreements *a,
                                         uint32_t src, uint32_t dst);
