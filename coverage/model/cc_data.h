/*
 * cc_data: what covcheck computes with: the objects, blocks and predictions of
 * static.db, the segments and observed dependencies of deps.db, and what
 * cc_match finds out about them.
 *
 * It knows nothing of SQL.  What fills it (cc_read, a unit test) makes sure
 * that no range ends before it starts, and that neither the executions nor the
 * occurrences add up to more than 64 bits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"
#include "occurrence.h"

#define CC_NONE      UINT32_MAX /* no object, or no block */
#define CC_ANY_DELTA UINT64_MAX /* no fixed number of iterations */

/* How far apart the two ends of a pair lie at most; each scope includes those
   before: both in one block, in one function, in one object, in objects of
   static.db. */
enum cc_scope {
    CC_SCOPE_BLOCK,
    CC_SCOPE_FUNCTION,
    CC_SCOPE_OBJECT,
    CC_SCOPE_PROGRAM,
    CC_N_SCOPES
};

/* How a prediction was made: by executing the block alone, by walks, or as a
   store that reaches the load.  A pair of several kinds has the first. */
enum cc_evidence {
    CC_EVIDENCE_BLOCK,
    CC_EVIDENCE_WALK,
    CC_EVIDENCE_FLOW,
    CC_N_EVIDENCES
};

/* The numbers of the walks that came to a block, as static.db has them
   (doc/schema.md): a list of ranges, because a hot block has thousands of
   walks, many of them in a row.  Two lists are compared without expanding them.
 */
struct cc_walks {
    const uint8_t *bytes;
    size_t n;
};

/* The lifetime bounds to report, in the order in which to report them. */
struct cc_bounds {
    unsigned n;
    uint64_t bound[LIFETIMES_MAX]; /* without repetition */
};

/* An object that both databases know. */
struct cc_object {
    char *path; /* as the first deps.db has it */
    char *build_id;
    char *static_path; /* as static.db has it */
    char *arch;
    char *filter; /* the options that chose its blocks; NULL: all are there */
    uint64_t executed; /* instructions, by the runs in which its code ran */
    uint64_t rob;   /* instructions that blocks were unrolled to; 0: unknown */
    bool is_walked; /* its predictions come from walks, not from blocks */
    uint32_t analysis;      /* which static.db: each numbers its own walks */
    uint32_t last_function; /* the function added last; CC_NONE: none yet */
};

/* Blocks of one function in static.db; without walks, adjacent blocks only. */
struct cc_function {
    uint32_t object;
    char *name;
    char *others;  /* its other symbols, separated by commas; or NULL */
    int64_t start; /* -1: unknown */
    /* Walks left out a call in the function: because its code is missing, or
       because its target was unknown. */
    bool has_skipped, has_unresolved;
};

struct cc_block {
    uint32_t object;
    uint32_t number;   /* in the order of adding, from 0: predictions use it */
    uint32_t function; /* CC_NONE: outside any function */
    uint64_t start, end;
    uint64_t n_instructions;
    bool analysed;         /* its status is "ok" */
    bool is_reached;       /* at least one walk came to it */
    bool follows_itself;   /* it ends by a jump to its start */
    size_t walks, n_walks; /* bytes in cc_data.walks */
    /* Set by cc_match: */
    uint64_t weight;  /* its executions */
    uint64_t entered; /* executions of the segments that start in it */
    bool kept;
};

/* A row (src, dst, delta_k) of static.db. */
struct cc_prediction {
    uint32_t block, dst_block; /* of src, and of dst */
    uint64_t src, dst;
    uint64_t src_index, dst_index; /* of the instructions in their blocks */
    uint64_t delta_k;              /* number of iterations, or CC_ANY_DELTA */
    bool is_in_run; /* the pair holds within one run of the loop only */
    double support; /* from 0 to 1 */
    enum cc_evidence evidence;
    /* Set by cc_match: */
    bool occurred;
    uint32_t observed; /* the dependency that occurred, else CC_NONE */
};

/* How the address of an instruction's load, or of its store, was made. */
struct cc_access {
    uint32_t block;
    bool stores;
    bool is_unknown;  /* staticdeps could not tell the address */
    bool is_loaded;   /* was the address made from a loaded value? */
    uint64_t address; /* of the instruction */
    uint64_t base;    /* equal numbers mean the same base; 0: unknown */
};

/* A pair that walks showed with less support than was asked for. */
struct cc_weak {
    uint32_t block, dst_block;
    uint64_t src, dst;
};

struct cc_segment {
    uint32_t object;
    uint64_t start, end;
    uint64_t executions;
};

enum cc_verdict {
    CC_UNSCORED, /* no end in a kept block */
    CC_SPANNING, /* an end in a kept block, the other in none, or too far */
    CC_MISSED,   /* both ends in kept blocks, not farther than the scope */
    CC_FOUND     /* as CC_MISSED, but predicted */
};

/* How occurrences were forwarded, and how many cross a cache line.  All zero:
   unknown. */
struct cc_forwards {
    uint64_t by[FORWARD_N], crossing;
};

struct cc_observed {
    uint32_t src_object, dst_object; /* CC_NONE: not one of the objects */
    uint32_t unmatched; /* the cc_unmatched of an end outside the objects */
    uint64_t src, dst;
    uint64_t occurrences;                /* at any distance */
    uint64_t min_distance, max_distance; /* in instructions */
    uint32_t counts;                     /* its row in cc_data.counts */
    struct cc_forwards forwards;         /* within the first of the bounds */
    bool is_cross_thread; /* did a load read what another thread stored? */
    /* Set by cc_match: */
    uint32_t src_block, dst_block;
    enum cc_verdict verdict;
    bool has_delta_k; /* was the pair predicted with a fixed delta_k? */
    bool agrees;      /* a predicted delta_k explains min_distance */
};

/* An object that only the databases of depsim know. */
struct cc_unmatched {
    char *path;
    /* At each bound, the occurrences whose load lies in this object and whose
       store lies in none of the objects either. */
    uint64_t elsewhere[LIFETIMES_MAX];
};

struct cc_run {
    uint32_t source; /* which deps.db, from 0 */
    int64_t id;      /* its run_id there */
};

/* An object of both databases whose two builds differ. */
struct cc_rebuilt {
    uint32_t deps, statics; /* which deps.db, and which static.db, from 0 */
    char *path, *build_id;  /* in deps.db */
    char *static_build_id;
};

/* One thread may add functions, blocks, predictions and accesses while another
   adds segments, observed dependencies and their occurrences. */
struct cc_data {
    struct cc_bounds bounds; /* set before observed dependencies are added */
    unsigned n_reported;     /* the first so many; the others are cc_curve's */
    enum cc_scope scope;     /* of the pairs that are scored */

    size_t n_runs, n_incomplete;
    struct cc_run *incomplete_runs; /* runs whose record ends too early */

    struct cc_rebuilt *rebuilt; /* objects whose builds differ: left out */
    size_t n_rebuilt;

    struct cc_object *objects;
    struct cc_function *functions;
    struct cc_block *blocks;
    struct cc_prediction *predictions;
    struct cc_access *accesses;
    struct cc_weak *weaks;
    uint8_t *walks; /* the lists of all blocks, one after the other */
    struct cc_segment *segments;
    struct cc_observed *observed;
    /* bounds.n numbers for each observed dependency: its occurrences at a
       distance of at most the bound. */
    uint64_t *counts;
    struct cc_unmatched *unmatched;
    /* Sums over all observed dependencies, at each bound. */
    struct cc_forwards forwards[LIFETIMES_MAX];
    struct {
        uint64_t executions, occurrences, within, instructions;
    } total;             /* of all databases so far, which must not overflow */
    uint32_t n_analyses; /* databases of walks, or blocks, so far */
    size_t n_weaks, n_walks;
    uint32_t n_objects, n_unmatched, n_functions, n_blocks;
    size_t n_predictions, n_accesses, n_segments, n_observed, n_counts;
    size_t incomplete_runs_room, rebuilt_room, objects_room, unmatched_room,
        functions_room, blocks_room, predictions_room, accesses_room,
        segments_room, observed_room, counts_room, weaks_room, walks_room;
};

/* cc_bounds_has: is `bound` among the bounds?  cc_bounds_add ignores a bound
   that is there; false if the list is full. */
bool cc_bounds_has(const struct cc_bounds *b, uint64_t bound);
bool cc_bounds_add(struct cc_bounds *b, uint64_t bound);

/* Names of scopes: "block", "function", ...  False, with *scope kept, for
   others. */
const char *cc_scope_name(enum cc_scope scope);
bool cc_scope_parse(const char *name, enum cc_scope *scope);

/* "block", "walk" or "flow", as in static.db. */
const char *cc_evidence_name(enum cc_evidence evidence);

/* The smallest scope that contains both blocks. */
enum cc_scope cc_scope_of(const struct cc_data *data, uint32_t a, uint32_t b);

/* Each copies one record into the data, which own it, with its texts; what has
   no texts and no number is appended to its array.
   cc_add_object leaves what static.db knows empty, for cc_set_static.
   cc_add_unmatched returns the one that has this path.
   cc_add_function returns the object's function added last if it has that
   name and start; cc_new_function does not look.
   cc_add_block and cc_add_observed return the number of what they added; a
   dependency has a row of zero counts at first. */
void cc_add_rebuilt(struct cc_data *data, struct cc_rebuilt rebuilt);
uint32_t cc_add_object(struct cc_data *data, const char *path,
                       const char *build_id);
uint32_t cc_add_unmatched(struct cc_data *data, const char *path);
void cc_set_static(struct cc_object *object, const char *path, const char *arch,
                   const char *filter, uint64_t rob);
uint32_t cc_add_function(struct cc_data *data, uint32_t object,
                         const char *name, int64_t start);
uint32_t cc_new_function(struct cc_data *data, uint32_t object,
                         const char *name, int64_t start);
uint32_t cc_add_block(struct cc_data *data, struct cc_block block);
/* Sets the walks that came to a block, which its number names. */
void cc_add_walks(struct cc_data *data, uint32_t block, const void *bytes,
                  size_t n);
/* Do the bytes encode at least one run, without overflow? */
bool cc_walks_are_valid(struct cc_walks list);
/* Is a walk in both lists?  The lists are valid, or empty. */
bool cc_walks_meet(struct cc_walks a, struct cc_walks b);
uint32_t cc_add_observed(struct cc_data *data, struct cc_observed observed);

/* Counts occurrences of a dependency, which all have a distance of at most
   `lifetime` and above the next smaller bound that was recorded. */
void cc_add_occurrences(struct cc_data *data, uint32_t observed,
                        uint64_t lifetime, uint64_t occurrences);

/* Adds to how occurrences of a dependency were forwarded. */
void cc_add_forwards(struct cc_data *data, uint32_t observed, uint64_t lifetime,
                     const struct cc_forwards *forwards);

/* Adds *from to *to. */
void cc_forwards_add(struct cc_forwards *to, const struct cc_forwards *from);

/* cc_forwards_known: the occurrences whose forward is known.  cc_forwards_fail:
   do most of them fail to forward, because no single store has all bytes? */
uint64_t cc_forwards_known(const struct cc_forwards *f);
bool cc_forwards_fail(const struct cc_forwards *f);

/* Adds occurrences of a dependency whose load lies in an object that only the
   databases of depsim know. */
void cc_add_elsewhere(struct cc_data *data, uint32_t unmatched,
                      uint64_t lifetime, uint64_t occurrences);

/* The occurrences of a dependency within each of the bounds. */
static inline const uint64_t *cc_counts(const struct cc_data *data,
                                        const struct cc_observed *observed)
{
    return data->counts + (size_t)observed->counts * data->bounds.n;
}

/* Is the dependency found or missed? */
static inline bool cc_is_scored(const struct cc_observed *observed)
{
    return observed->verdict == CC_FOUND || observed->verdict == CC_MISSED;
}

/* Frees what the data own and leaves them empty.  Accepts zeroed data. */
void cc_data_fini(struct cc_data *data);
