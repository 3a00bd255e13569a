/*
 * internal: what the files of run/ share, and no others need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_RUN_INTERNAL_H
#define SD_RUN_INTERNAL_H

#include "lift/sd_op.h"
#include "run/sd_overlap.h"

struct sd_exec;
struct sd_probe;
struct sd_reroll;
struct sd_steady;
struct sd_trace;

/* sd_trace: */

/* Drops operations that are not needed; a step of sd_trace_end(). */
void sd_trace_prune(struct sd_trace *trace);

/* sd_exec: */

/* The state of one run. */
struct sd_run {
    struct sd_exec *exec;
    struct sd_trace *trace;
    struct sd_reroll *reroll;
    unsigned site_bits;  /* of the writers */
    uint32_t iteration;  /* the time of the writers */
    uint32_t n_repeated; /* times that a rep instruction tested its count */
    uint64_t n_elements; /* of rep instructions, without the first of each */
    uint64_t fresh_key;
    uint64_t n_fresh;        /* random numbers drawn up to now */
    bool is_warming;         /* nothing is recorded yet */
    bool never_settles;      /* all iterations have to be run */
    uint32_t enough;         /* the iteration that shows all pairs, or 0 */
    bool needs_no_memory;    /* no address depends on a loaded value */
    struct sd_probe *probes; /* NULL: addresses are not noted */
    struct sd_bytes *stored; /* by site - 1: in this iteration */
};

void sd_exec_iterate(struct sd_run *run);

/* sd_rep: */

struct sd_rep {
    const struct sd_op *begin, *end;  /* after its SD_LOOP; its SD_AGAIN */
    const struct sd_op *leave;        /* its SD_LEAVE */
    const struct sd_op *load, *store; /* NULL: none */
    int64_t load_step, store_step;    /* from one element to the next */
};

/* Describes the rep instruction whose SD_LOOP is before `op`; its first element
   has just been executed, and its values are in trace->temps.  False if the
   instruction is not one large access. */
bool sd_rep_find(struct sd_rep *rep, const struct sd_trace *trace,
                 const struct sd_op *op);

/* How far the register of an SD_PUT moves from one element to the next.  0: by
   an unknown number, or not at all. */
int64_t sd_rep_step(const struct sd_rep *rep, const struct sd_trace *trace,
                    const struct sd_op *put);

/* The first byte that is loaded after an earlier element stored it.
   UINT64_MAX: none; 0: the instruction is not one large access. */
uint64_t sd_rep_meets(const struct sd_rep *rep, const struct sd_trace *trace);

/* sd_steady: */

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

/* A step of sd_steady_rounds(): the number of iterations until all pairs of
   `extents` have occurred, or 0.  Marks the loads that stores may change as
   spoilt, and then sets *spoils. */
uint32_t sd_steady_meet(struct sd_steady *steady, const struct sd_trace *trace,
                        uint32_t left, uint32_t n_random, bool *spoils);

#endif
