/*
 * sd_walk: one way through the code, over numbers that are drawn.
 *
 * A walk begins at a function, or in its middle.  It computes with concrete
 * numbers, so each address is one, and a load shows which store wrote its bytes
 * last.  What is known (sd_drawn) decides branches; where it does not, the walk
 * is forced: it takes the way that was taken less often, and goes round a loop
 * a few times.  What was forced once is decided from then on (sd_decide).
 *
 * A loop whose test is decided is wound forward, once its registers moved by
 * the same steps twice: only the last two rounds are walked.  Of those that are
 * skipped, the stores are known, if their addresses move by steps, too.  Of a
 * loop whose rounds are not alike, as they have inner loops of other lengths,
 * more are walked, and all if they take little: what a remainder or an unrolled
 * loop shows needs the right number of rounds.
 *
 * In every other walk the root is called again when it returns.  Pairs that lie
 * in two of these calls are marked, because true callers may write in between
 * what the second call reads; a load notes if they do (SD_NOTE_FED).
 *
 * Calls are entered to a depth, and for a share of the fuel, which is the
 * smaller the deeper if only pairs within one function are wanted.  One that is
 * cut short may not have stored what it leaves in the end, so what it stored
 * has no writer from then on.  Calls of functions that the table of libraries
 * describes do what it says.  Others are skipped: they leave unknown registers,
 * and unknown bytes where their arguments point into the stack.  A call that
 * never comes back ends the walk, unless it comes back elsewhere: after the
 * last setjmp, or where exceptions land (sd_walk_land).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_WALK_H
#define SD_WALK_H

#include "lift/sd_lift.h"
#include "walk/sd_chunk.h"
#include "random/sd_decide.h"
#include "walk/sd_ifunc.h"
#include "random/sd_index.h"
#include "walk/sd_access_notes.h"
#include "walk/sd_visits.h"
#include "walk/sd_pairs.h"
#include "random/sd_recall.h"
#include "walk/sd_reentry.h"
#include "walk/sd_rounds.h"
#include "random/sd_rules.h"
#include "walk/sd_vectors.h"

#define SD_MOST_FRAMES 16

/* A call of a function that the table of libraries describes. */
struct sd_calling {
    const struct sd_model *model; /* NULL: it has code */
    struct sd_drawn result;
    struct sd_drawn terms[SD_MOST_TERMS]; /* what it calls, with what */
    unsigned n_left;                      /* times */
};

struct sd_frame {
    struct sd_chunk *caller;
    uint64_t stack_pointer;  /* then */
    uint64_t deadline;       /* the call is cut short then */
    uint32_t serial;         /* of the calls of a walk */
    struct sd_chunk *callee; /* NULL: it is not walked */
    uint64_t begun;          /* when the call was made, */
    uint64_t since;  /* and the callee left before that; or UINT64_MAX */
    size_t n_stores; /* those of the walk until then */
    struct sd_drawn saved[40];
    struct sd_calling calling;
};

/* Where longjmp comes back to. */
struct sd_jump {
    struct sd_frame frame; /* of the call of setjmp */
    uint32_t walk, serial; /* when it was called, and in which call */
    unsigned n_frames;
};

/* A load of something drawn. */
struct sd_loaded {
    uint64_t address, bits;
    unsigned size;    /* in bytes; 0: none */
    int32_t distance; /* of the address, from a number that is drawn, */
    bool is_far;      /* if this says so */
};

struct sd_store {
    uint64_t address;
    uint64_t time;  /* with what was skipped */
    uint32_t site;  /* 0: of a function that is not walked */
    uint32_t visit; /* of its chunk */
    uint32_t round; /* of the loops around; SD_NO_ROUND: none, or not known */
    uint16_t size;  /* in bytes, 1 to 8 */
    uint16_t call;  /* of the root */
};

#define SD_N_ORIGINS 32
#define SD_N_MEMO    256

struct sd_walker {
    const struct sd_program *program;
    unsigned rules;
    unsigned depth; /* calls are entered so deep */
    bool is_narrow; /* for less: pairs between functions are not wanted */
    struct sd_abi abi;
    const struct sd_initial *initial;
    uint16_t clobbered[SD_N_WORDS]; /* by a call */
    unsigned n_clobbered;
    struct sd_chunks chunks;
    struct sd_ifuncs ifuncs;
    struct sd_recall recall;
    struct sd_pairs pairs;
    size_t n_own; /* of them, those of which both ends lie in `routine` */
    struct sd_access_notes notes;
    struct sd_reentries reentries;
    struct sd_rounds rounds;
    struct sd_vectors vectors;
    struct sd_drawn registers[SD_N_WORDS];

    uint64_t key, n_random;
    uint64_t time, fuel; /* in instructions */
    uint64_t skipped;    /* time + skipped: as if no loop were wound forward */
    uint32_t walk;       /* its number, from 1 on */
    uint32_t root;       /* the function's whose walks these are, */
    uint32_t routine;    /* which is this one */
    bool is_again;       /* call the function again when it returns */
    bool is_in_middle;   /* it begins there: how registers are related to each
                            other is not known, and rounds tell nothing */
    uint64_t entry;
    uint32_t block; /* the last one; after a call, that of the call */
    struct sd_frame frames[SD_MOST_FRAMES + 1];
    unsigned n_frames;
    uint32_t serial;
    struct sd_jump jump;     /* the last one */
    struct sd_drawn thrown;  /* the last exception's address, */
    uint32_t thrown_in_walk; /* in this walk */
    struct sd_store *stores; /* by number, from 1 on */
    size_t n_stores, stores_room;
    uint32_t library_store; /* the number of the last one without a site */
    struct sd_loaded origins[SD_N_ORIGINS];
    unsigned n_origins;
    struct sd_memo {
        uint64_t key;
        uint32_t walk;
        bool holds;
    } memo[SD_N_MEMO];

    uint64_t n_run;           /* blocks of the current walk so far */
    struct sd_visit *visited; /* which ones */
    size_t n_visited, visited_room;
    uint32_t *visits; /* by block: where it is there, if it is */
    uint64_t n_insns; /* of all walks */
};

/* Which call of the walk it is in. */
static inline uint32_t sd_walk_frame(const struct sd_walker *w)
{
    return w->n_frames > 0 ? w->frames[w->n_frames - 1].serial
                           : w->serial & ~0xffffu;
}

/* Which call of the root it is in, from 0 on. */
static inline uint32_t sd_walk_call(const struct sd_walker *w)
{
    return w->serial >> 16;
}

/* The time as if no loop were wound forward. */
static inline uint64_t sd_walk_now(const struct sd_walker *w)
{
    return w->time + w->skipped;
}

/* Another random number of the current walk. */
static inline uint64_t sd_walker_random(struct sd_walker *w)
{
    return sd_random(w->key, w->n_random++);
}

/* A random number of that many bits, which counts as drawn. */
static inline struct sd_drawn sd_walker_draw(struct sd_walker *w,
                                             unsigned width)
{
    uint64_t mask = sd_mask(width);

    return (struct sd_drawn){sd_walker_random(w) & mask, mask};
}

void sd_walker_init(struct sd_walker *w, const struct sd_program *program,
                    unsigned rules, unsigned depth, bool is_narrow);
void sd_walker_fini(struct sd_walker *w);

/* Forgets what walks of the last function showed; `routine` is the next one. */
void sd_walker_root(struct sd_walker *w, uint32_t routine);

/* Walks from an address until the function returns, or `fuel` instructions are
   walked, or nothing leads on.  `key` decides all that is random.  The pairs
   are added to w->pairs. */
void sd_walk(struct sd_walker *w, uint64_t address, uint64_t key, uint64_t fuel,
             bool is_again);

/* Of use to sd_walk's own files. */

#define SD_WALK_STACK_END UINT64_C(0x7ffd4a31e000)
#define SD_WALK_STACK     (SD_WALK_STACK_END - 0x80000) /* where a walk begins */

/* The chunk at an address, which may be that of an IFUNC; NULL: no code. */
struct sd_chunk *sd_walk_at(struct sd_walker *w, uint64_t address);
/* Where the walk goes on after a chunk; NULL: nowhere. */
struct sd_chunk *sd_walk_next(struct sd_walker *w, struct sd_chunk *c);
/* Where the walk goes on if the callee of the last frame is not walked, or not
   to its end; NULL: nowhere. */
struct sd_chunk *sd_walk_cut_short(struct sd_walker *w);
/* Where the walk goes on in a caller if nothing leads on here; NULL: nowhere.
 */
struct sd_chunk *sd_walk_give_up(struct sd_walker *w);

/* The registers are as after the call of a frame, of which nothing but the ABI
   is known. */
void sd_walk_restore(struct sd_walker *w, const struct sd_frame *f);

/* Remembers the call of setjmp that the last frame is of. */
void sd_walk_set_jump(struct sd_walker *w);
/* May the call at the end of a chunk come back elsewhere?  With NULL: may any
   call from here on? */
bool sd_walk_may_land(const struct sd_walker *w, const struct sd_chunk *c);
/* longjmp, or an exception: some frames are left, and the walk goes on at the
   result; NULL if it cannot, and no frame is left. */
struct sd_chunk *sd_walk_land(struct sd_walker *w, enum sd_callee callee);

/* What the operations of a chunk do to the registers and the memory. */
void sd_walk_step(struct sd_walker *w, struct sd_chunk *c);

/* A new store without a site, and its number. */
uint32_t sd_walk_new_store(struct sd_walker *w);

/* The comparison that an operation is: a comparison, or a condition of the
   flags.  False if it is another. */
bool sd_walk_comparison(const struct sd_chunk *c, const struct sd_op *op,
                        struct sd_comparison *comparison);

/* Lets a function of the table of libraries write what it writes; what it
   returns and calls is stored into *calling. */
void sd_walk_library(struct sd_walker *w, const struct sd_model *model,
                     struct sd_calling *calling);
/* Makes an index small that is drawn, wherever it is. */
void sd_walk_index(struct sd_walker *w, struct sd_drawn *index);

/* Winds a loop forward at its test, which is decided and says that the loop
   goes on, if its rounds are alike. */
void sd_walk_skip(struct sd_walker *w, struct sd_chunk *c);

/* Replaces a number of 64 bits that is drawn by another, in the registers and
   in the memory that it came from. */
void sd_walk_replace(struct sd_walker *w, uint64_t old, struct sd_drawn now);

/* The function that the call or jump at the end of a chunk leads to, whose
   target is drawn: one that tables of functions have there; 0: none is known.
 */
uint64_t sd_walk_resolve(struct sd_walker *w, struct sd_chunk *c);

/* Which way is taken at a branch: 1 if that of the condition, else 0. */
unsigned sd_walk_branch(struct sd_walker *w, struct sd_chunk *c);

#endif
