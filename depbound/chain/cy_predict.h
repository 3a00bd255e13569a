/*
 * cy_predict: the loops of a program, their code and dependencies, and what one
 * round of each takes, and why.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PREDICT_H
#define CY_PREDICT_H

#include "loops/cy_loops.h"
#include "step/cy_step.h"

/* Which dependencies through memory are edges of the graphs. */
enum cy_edges { CY_EDGES_NONE, CY_EDGES_STATIC, CY_EDGES_OBSERVED };

struct cy_choice {
    enum cy_edges edges;
    double min_support;   /* of a predicted pair, from 0 to 1 */
    double min_share;     /* of all executed instructions, in percent */
    const char *function; /* only its loops; NULL: all */
    const char *source;   /* only loops of files that match; NULL: all */
    bool is_unrolled;     /* a round ends without a jump */
};

enum cy_wait {
    CY_WAIT_REGISTER, /* an instruction waits for an operand */
    CY_WAIT_ADDRESS,  /* a load waits for its address */
    CY_WAIT_MEMORY,   /* a load waits for a store */
    CY_WAIT_DATA,     /* a store waits for what it stores */
    CY_WAIT_FENCE,    /* of a fence that serializes, or for one */
    CY_WAIT_UNITS     /* for units, the dispatch or a buffer */
};

/* An edge of the critical cycle. */
struct cy_link {
    uint32_t from, to; /* steps */
    enum cy_wait wait;
    uint32_t rounds;    /* the fewest, if they vary */
    double mean_rounds; /* that count */
    double cycles;
    enum cy_how how; /* through memory */
    double support;  /* through memory: of the dependency */
    struct cy_forward {
        enum cy_relation relation;
        bool is_observed;   /* else predicted by the operands */
        bool is_in_run;     /* as in cy_memory_edge */
        uint32_t store;     /* the step that stores the bytes */
        uint32_t rounds;    /* from the store to the load */
        double mean_rounds; /* as in cy_link */
        bool varies;        /* `rounds` are those of the first one only */
    } forward; /* through memory: how the bytes overlap.  If it fails, `from`
                  may be an instruction before the store. */
    /* Recorded, a wait for an address: its load met a store that is not in the
       loop.  Both are instructions of the windows. */
    struct cy_apart {
        bool is_known;
        uint32_t store, load;
    } apart;
};

struct cy_chain {
    double cycles;    /* for each round */
    bool is_recorded; /* links are what takes most of recorded rounds, with
                         the cycles of a round; else they follow one another */
    struct cy_link *links;
    size_t n;
};

struct cy_bound {
    struct cy_chain registers; /* without edges through memory */
    struct cy_chain memory;    /* with them */
    struct cy_chain waits;     /* all for registers, in no order */
    struct cy_link *passages;  /* all through memory; their cycles are what each
                                  costs by itself */
    size_t n_passages;
    unsigned n_unknown; /* instructions that VEX or llvm-mca does not know, or
                           whose flow is cut */
    unsigned n_unknown_cost; /* instructions whose latency is guessed */
    unsigned n_renamed; /* values at varying distances that count as renamed */
    bool *is_guessed;   /* by step */
    struct cy_link *failed; /* those passages that are forwards which fail */
    unsigned n_failed;
};

/* What a round of a loop takes, in cycles. */
struct cy_cycles {
    bool has_units;    /* llvm-mca was asked */
    double throughput; /* if nothing waits for a value */
    double occupancy;  /* of the unit for divisions and roots, if that is nearly
                          all of `steady`; else 0 */
    double ordered;    /* `steady`, if atomics and fences are most of it */
    double without;    /* if no load reads what the loop stored */
    double predicted;  /* as it is */
    double mended;  /* once values that go through memory stay in registers */
    double steered; /* `predicted`, were no branch mispredicted */
    uint64_t n_recorded; /* rounds that all of these are of; 0: made up */
    double called;       /* the part of `predicted` in what it calls */
    double steady;       /* `predicted` by rounds that are made up */
    double low, high;    /* the same, if pairs that some walks see do not occur,
                            or those that fewer see do */
    bool is_memory_bound; /* `predicted` is 40 % or more above `mended` */
    double all;           /* of its own instructions in the whole run */
};

/* Dependencies through memory within a loop. */
struct cy_memory_edges {
    struct cy_memory_edge *list; /* `n` that count, then those that may be */
    size_t n, n_all;
    size_t n_unfixed; /* pairs without an edge, since the number of rounds
                         between their ends is not known */
};

/* What the figure of a loop leaves out, because nobody knows it. */
struct cy_unknown {
    bool is_cut; /* what it calls, or another way of it, may be in no window */
    bool has_calls;
    size_t n_insns;   /* that VEX or llvm-mca does not know */
    size_t n_ordered; /* atomics and fences whose cost is not known */
    size_t n_unfixed; /* dependencies over no fixed number of rounds */
    size_t n_renamed; /* at varying distances, which count as renamed */
    double bytes;     /* that a run goes through, if they are more than the
                         first cache has; else 0 */
    /* The share of rounds that go the way of the figure, at least and at most,
       1 if hardly any goes another; or that way is a guess. */
    double share_of_way, most_of_way;
    bool is_way_guessed;
    /* With static edges: accesses at addresses that are data, and whether an
       outer loop may carry a dependency. */
    unsigned n_addresses;
    bool is_supposed; /* does an edge assume that two of them are equal? */
    bool may_be_carried;
    bool is_doubtful; /* pairs that only some walks see cost a tenth */
    /* With observed edges: the hottest dependency that is no edge of the loop,
       although it lies in it, in what it calls, or in the loop around it. */
    const struct cy_pair *hottest;
};

/* Is there no figure?  What atomics and fences take is not known, and may be
   many times what all else takes. */
bool cy_unknown_is_all(const struct cy_unknown *unknown);

/* Is the figure only the least that a round takes? */
bool cy_unknown_is_least(const struct cy_unknown *unknown);

/* Is the figure that of rounds that go one way, or whose addresses are equal,
   while others take more or less? */
bool cy_unknown_is_case(const struct cy_unknown *unknown);

/* A loop, and why its rounds take so long. */
struct cy_cost_of_loop {
    const struct cy_loop *loop;
    const char *function; /* NULL: not known */
    const char *name;     /* the user's name of it; NULL: none */
    uint64_t address;     /* of its first block */
    double share;         /* of all executed instructions, in percent */
    bool is_shown;        /* it has the share that the user wants */
    uint32_t n;           /* instructions */
    struct cy_code_insn *insns;
    struct cy_step *steps; /* by instruction */
    struct cy_memory_edges edges;
    size_t n_impossible;      /* edges that contradict others */
    struct cy_mca_insn *mca;  /* by instruction; without llvm-mca, not known */
    struct cy_mca_uses *uses; /* the same */
    struct cy_bound bound;
    struct cy_cycles cycles;
    uint64_t iterations; /* of the run, that the cycles are of: those that go
                            the loop's way, or all of them, if recorded */
    struct cy_unknown unknown;
};

struct cy_prediction {
    struct cy_cost_of_loop *loops; /* those that are shown, the most costly
                                      first; then the others */
    size_t n, n_shown;
    double share; /* of the executed instructions that the shown loops have,
                     in percent */
    struct cy_model model;
};

/* Finds the loops, their code and edges, and what llvm-mca says of it; `mca`
   and `machine` may be NULL.  cy_figures_of completes them. */
int cy_predict(struct cy_prediction *prediction, const struct cy_data *data,
               const struct cy_loops *loops, struct cy_code *code,
               const struct cy_machine *machine, struct cy_mca *mca,
               const struct cy_choice *choice, struct diag *d);

/* Finds what the figure of a loop leaves out.  Only direct calls are looked
   into, and only the function that they enter. */
void cy_unknown_of(struct cy_cost_of_loop *cost, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_machine *machine);

/* The figure is of recorded rounds, which go all ways and call: what is not
   known of others is in it. */
void cy_unknown_recorded(struct cy_unknown *unknown, bool is_cut);

void cy_prediction_fini(struct cy_prediction *prediction);

/* --- Dependencies through memory within a loop, and how addresses move --- */

/* Each register is followed through a round as a sum of what registers were at
   its beginning.  A register that ends as itself and a constant moves by the
   constant in each round; addresses move as their registers do.

   Limits: an address is not known if it was loaded, multiplied or chosen. */

/* A dependency through memory: the load reads what the store wrote `rounds`
   rounds before. */
struct cy_memory_edge {
    uint32_t store, load; /* steps */
    uint32_t rounds;      /* the fewest */
    double mean_rounds;   /* by cy_spread; `rounds`, unless they vary */
    double support;       /* of the prediction; observed: 1 */
    bool is_sure;         /* all walks see it, or the run had it */
    bool is_in_run;    /* the store is always one of the same run of the loop */
    bool is_observed;  /* depsim recorded `relation` */
    bool has_relation; /* `relation` is known, from depsim or staticdeps */
    enum cy_relation relation;
    bool has_offset; /* staticdeps knows it */
    int64_t offset;  /* of the load's address from the store's, in bytes */
};

/* Occurrences of a dependency over first to last rounds. */
struct cy_rounds {
    double first, last; /* at least 1 */
    double occurrences;
};

/* The rounds over which a dependency costs as much as it does over those of the
   classes, of which the first has the smallest and no other overlaps it: as
   many as that has, or more.  `is_exact`: the classes were not smeared by ways
   of different lengths. */
double cy_spread(const struct cy_rounds *classes, unsigned n, bool is_exact);

/* How far a number moves from each round to the next. */
struct cy_stride {
    bool is_known;
    uint64_t bytes; /* modulo 2^64 */
};

/* The address of an access: in the first round, as a sum of what the registers
   were when the round began, and how far it moves. */
struct cy_moving {
    struct flow_sum sum;
    struct cy_stride stride;
};

/* Of the accesses of a step. */
struct cy_strides {
    struct cy_moving loads[FLOW_MOST_LOADS], stores[FLOW_MOST_STORES];
};

/* By step, of a block of n steps that follows itself.  The caller frees it. */
struct cy_strides *cy_strides_new(const struct cy_step *steps, uint32_t n);

/* Do data say which place a load of the block has: an index that was loaded
   from places that move, or computed of such?  A pointer alone is none. */
bool cy_is_by_data(const struct cy_step *steps, uint32_t n, uint32_t load);

/* Do two sums have the same registers, with the same factors? */
bool cy_sums_are_alike(const struct flow_sum *a, const struct flow_sum *b);

#endif
