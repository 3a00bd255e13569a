/* sd_walk: the state of a walk, and its steps. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "walk/sd_chunk.h"
#include "walk/sd_vectors.h"
#include "walk/sd_support.h"

struct sd_candidate {
    uint64_t address;
    uint32_t taken; /* times that walks of the root took it */
};

struct sd_ifunc_resolver {
    size_t first, n;     /* candidates */
    uint32_t walk, root; /* where the latest choice was; 0: no choice yet */
    uint64_t chosen;     /* the candidate that was chosen then */
};

struct sd_ifuncs {
    const struct sd_program *program;
    struct sd_ifunc_resolver *resolvers; /* as in program->resolvers */
    struct sd_candidate *candidates;
    size_t n_candidates, room;
};

#define SD_MOST_FRAMES 16

/* A call of a function that the table of libraries describes. */
struct sd_calling {
    const struct sd_model *model; /* NULL: the function has code */
    struct sd_value result;
    struct sd_value terms[SD_MOST_TERMS]; /* a callee, and its arguments */
    unsigned n_left;                      /* calls of terms[0] that are left */
};

struct sd_frame {
    struct sd_chunk *caller;
    uint64_t stack_pointer;  /* stack pointer of the caller */
    uint64_t deadline;       /* when the call is cut short */
    uint32_t serial;         /* number of the call in the walk */
    struct sd_chunk *callee; /* NULL: the callee is not walked */
    uint64_t begun;          /* when the call was made */
    uint64_t since;  /* when the callee returned before; or UINT64_MAX */
    size_t n_stores; /* stores of the walk before the call */
    struct sd_value saved[40];
    struct sd_calling calling;
};

/* Where a walk is: the calls that it is in. */
struct sd_walk_path {
    struct sd_frame frames[SD_MOST_FRAMES + 1];
    unsigned n_frames;
    uint32_t serial; /* number of the last call; the high half counts the calls
                        of the root */
    uint32_t block;  /* the latest block; after a call, that of the call */
};

/* Times of a walk, in instructions. */
struct sd_clock {
    uint64_t time, fuel;
    uint64_t skipped; /* time + skipped: the time if no rounds were skipped */
};

struct sd_store {
    uint64_t address;
    uint64_t time;  /* in instructions, with skipped rounds */
    uint32_t site;  /* 0: store of a function that is not walked */
    uint32_t visit; /* number of the visit of the chunk */
    uint32_t round; /* the innermost round; SD_NO_ROUND: none, or not known */
    uint16_t size : 4;  /* in bytes, 1 to 8 */
    uint16_t begin : 4; /* where this part begins in the access, in units
                           of 8 bytes */
    uint16_t all : 7;   /* bytes of the access; 0: not known */
    uint16_t call;      /* number of the call of the root */
};

struct sd_store_log {
    struct sd_store *list; /* stores by number, from 1 on */
    size_t n, room;
    uint32_t library; /* number of the latest store of a library function */
};

/* A load of something drawn. */
struct sd_loaded {
    uint64_t address, bits;
    unsigned size;    /* in bytes; 0: no load */
    int32_t distance; /* if is_far: from a drawn number to the address */
    bool is_far;      /* is the address computed from a drawn number? */
};

#define SD_N_LOADS 32

struct sd_load_log {
    struct sd_loaded list[SD_N_LOADS]; /* load number i is at i % SD_N_LOADS */
    unsigned n;
};

#define SD_N_MEMO 256

/* What is random in a walk, and what random numbers decided. */
struct sd_choices {
    uint64_t key, n;
    struct sd_memo {
        uint64_t key;
        uint32_t walk;
        bool holds;
    } memo[SD_N_MEMO];
};

/* Which blocks a walk visited, and when. */
struct sd_visit_log {
    uint64_t n_run; /* blocks walked up to now */
    struct sd_visit *list;
    size_t n, room;
    uint32_t *places; /* by block: its place in `list`, if it is there */
};

struct sd_walker {
    const struct sd_program *program;
    unsigned rules;
    unsigned depth; /* how deep calls are entered */
    bool is_narrow; /* pairs between functions are not wanted */
    struct sd_abi abi;
    const struct sd_initial *initial;
    uint16_t clobbered[SD_N_WORDS]; /* registers that a call loses */
    unsigned n_clobbered;
    struct sd_chunks chunks;
    struct sd_ifuncs ifuncs;

    /* The current walk. */
    uint32_t walk;     /* number of the walk, from 1 on */
    uint32_t root;     /* number of the function that is explored, from 1 on */
    uint32_t routine;  /* the routine of that function */
    uint64_t entry;    /* where the walk begins */
    bool is_again;     /* the function is called again when it returns */
    bool is_in_middle; /* the walk begins inside a function: relations between
                          registers are not known, and rounds say nothing */
    struct sd_value registers[SD_N_WORDS];
    struct sd_memory memory;
    struct sd_clock clock;
    struct sd_walk_path path;
    struct sd_choices choices;
    struct sd_store_log stores;
    struct sd_load_log loads;
    uint32_t reading[SD_MOST_OVERLAP]; /* the stores that wrote the bytes of a
                                          load */
    struct sd_visit_log visits;
    struct sd_rounds rounds;

    /* What the walks of the function show. */
    struct sd_pairs pairs;
    size_t n_own; /* pairs with both ends in `routine` */
    struct sd_access_notes notes;
    struct sd_vectors vectors;
    uint64_t n_insns; /* instructions of all walks */
};

/* The number, from 0 on, of the call of the root that the walk is in. */
static inline uint32_t sd_walk_call(const struct sd_walker *w)
{
    return w->path.serial >> 16;
}

/* The serial number of the call of frame number n - 1; if n is 0, that of the
   call of the root. */
static inline uint32_t sd_walk_frame_of(const struct sd_walker *w, unsigned n)
{
    return n > 0 ? w->path.frames[n - 1].serial : sd_walk_call(w) << 16;
}

/* The serial number of the call that the walk is in. */
static inline uint32_t sd_walk_frame(const struct sd_walker *w)
{
    return sd_walk_frame_of(w, w->path.n_frames);
}

/* The frame of the innermost call; the walk must be in one. */
static inline struct sd_frame *sd_walk_last_frame(struct sd_walker *w)
{
    assert(w->path.n_frames > 0 && w->path.n_frames <= SD_MOST_FRAMES);
    return &w->path.frames[w->path.n_frames - 1];
}

/* The time, in instructions, that it would be if no rounds were skipped. */
static inline uint64_t sd_walk_now(const struct sd_walker *w)
{
    return w->clock.time + w->clock.skipped;
}

/* Another random number of the current walk. */
static inline uint64_t sd_walker_random(struct sd_walker *w)
{
    return sd_random(w->choices.key, w->choices.n++);
}

/* A random number of `width` bits, which counts as drawn. */
static inline struct sd_value sd_walker_draw(struct sd_walker *w,
                                             unsigned width)
{
    uint64_t mask = sd_mask(width);

    return (struct sd_value){sd_walker_random(w) & mask, mask};
}

/* --- sd_walk_step.c --- */

/* Applies the operations of a chunk to the registers and the memory. */
void sd_walk_step(struct sd_walker *w, struct sd_chunk *c);

/* Adds a store without a site, and returns its number. */
uint32_t sd_walk_new_store(struct sd_walker *w);

/* --- sd_walk_leave.c --- */

#define SD_WALK_STACK_END UINT64_C(0x7ffd4a31e000)
#define SD_WALK_STACK     (SD_WALK_STACK_END - 0x80000) /* where walks begin */

/* Return the chunk where the walk goes on; NULL if the walk ends.
   sd_walk_next(): after a chunk; sd_walk_cut_short(): after the innermost call,
   whose callee is not walked to its end; sd_walk_give_up(): in a caller, if
   nothing leads on here. */
struct sd_chunk *sd_walk_next(struct sd_walker *w, struct sd_chunk *c);
struct sd_chunk *sd_walk_cut_short(struct sd_walker *w);
struct sd_chunk *sd_walk_give_up(struct sd_walker *w);

/* --- sd_walk_callee.c --- */

/* Finds the candidates of the program's resolvers; no chunks may have been run
   before. */
void sd_ifuncs_init(struct sd_ifuncs *ifuncs, struct sd_chunks *chunks);
void sd_ifuncs_fini(struct sd_ifuncs *ifuncs);

/* The chunk at an address, which may be an IFUNC mark; NULL: no code there. */
struct sd_chunk *sd_walk_at(struct sd_walker *w, uint64_t address);

/* Writes what a function of the table of libraries writes.  Stores what the
   function returns and calls into *calling. */
void sd_walk_library(struct sd_walker *w, const struct sd_model *model,
                     struct sd_calling *calling);

/* The function to which the call or jump at the end of a chunk leads, if its
   target is drawn: one that tables of functions contain; 0 if none is known. */
uint64_t sd_walk_resolve(struct sd_walker *w, struct sd_chunk *c);

/* --- sd_walk_test.c --- */

/* Stores the comparison that an operation makes: a comparison of its own, or a
   condition of the flags.  Returns false if the operation makes none. */
bool sd_walk_comparison(const struct sd_chunk *c, const struct sd_op *op,
                        struct sd_comparison *comparison);

/* Changes an operand of a comparison, so that from now on the comparison holds
   or not, as `holds` says.  One of the operands must be drawn. */
void sd_walk_decide(struct sd_walker *w, const struct sd_comparison *comparison,
                    bool holds);

/* Skips all rounds of a loop but the last two, if the rounds are alike.  The
   walk must be at the test of the loop, whose comparison must be decided and
   say that the loop goes on. */
void sd_walk_skip_rounds(struct sd_walker *w, struct sd_chunk *c,
                         const struct sd_comparison *comparison);

/* Replaces a drawn number of 64 bits by another, in the registers and in the
   memory from which the number was loaded. */
void sd_walk_replace(struct sd_walker *w, uint64_t old, struct sd_value now);

/* Makes a drawn index small, in all places that hold the index. */
void sd_walk_index(struct sd_walker *w, struct sd_value *index);
