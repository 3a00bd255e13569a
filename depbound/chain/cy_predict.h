/* cy_predict: a program's loops, their code and dependencies, and what a round
   takes, and why. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "code/cy_threads.h"
#include "loops/cy_loops.h"
#include "step/cy_step.h"

/* Which dependencies through memory become edges of a loop. */
enum cy_edges { CY_EDGES_NONE, CY_EDGES_STATIC, CY_EDGES_OBSERVED };

struct cy_choice {
    enum cy_edges edges;
    double min_support;  /* least support of a predicted pair, 0 to 1 */
    double min_share;    /* of all executed instructions, in percent */
    struct cy_wish wish; /* only loops of these functions and objects */
    const char *source;  /* only loops of source files that match; NULL: all */
    bool is_unrolled;    /* a round ends without a jump */
};

/* Loops with a smaller share of the executed instructions, in percent, count as
   other code, unless the user wants to see them. */
#define CY_LEAST_SHARE 0.01
static inline double cy_least_share(const struct cy_choice *choice)
{
    return choice->min_share < CY_LEAST_SHARE ? choice->min_share
                                              : CY_LEAST_SHARE;
}

/* Does the user ask for some functions or objects, and not for all? */
static inline bool cy_choice_is_part(const struct cy_choice *choice)
{
    return choice->wish.function != NULL || choice->wish.n_objects > 0;
}

enum cy_wait {
    CY_WAIT_REGISTER, /* an instruction waits for an operand */
    CY_WAIT_ADDRESS,  /* a load waits for its address */
    CY_WAIT_MEMORY,   /* a load waits for a store */
    CY_WAIT_DATA,     /* a store waits for what it stores */
    CY_WAIT_FENCE,    /* the wait of an atomic or a fence, or for one */
    CY_WAIT_UNITS     /* a wait for units, the dispatch or a buffer */
};

/* A wait in a loop: step `to` waits for step `from`. */
struct cy_link {
    uint32_t from, to; /* steps */
    enum cy_wait wait;
    uint32_t rounds;    /* between the steps; if they vary, the fewest */
    double mean_rounds; /* the number that counts for the cost (cy_spread) */
    double cycles;
    enum cy_how how; /* how a value goes through memory */
    double support;  /* through memory: the support of the dependency */
    struct cy_forward {
        enum cy_relation relation;
        bool is_observed;   /* `relation` was observed, not predicted */
        bool is_in_run;     /* as in cy_memory_edge */
        uint32_t store;     /* the step that stores the bytes */
        uint32_t rounds;    /* from the store to the load */
        double mean_rounds; /* as in cy_link */
        bool varies;        /* `rounds` is that of the first occurrence only */
    } forward; /* through memory: how the bytes overlap.  If it fails, `from`
                  may be an instruction before the store. */
    /* In a recorded chain: the load read a store outside the loop.  Store and
       load are instructions of the windows. */
    struct cy_apart {
        bool is_known;
        uint32_t store, load;
    } apart;
};

struct cy_chain {
    double cycles;    /* cycles of a round */
    bool is_recorded; /* links are the waits that take most of recorded rounds;
                         else they follow one another */
    struct cy_link *links;
    size_t n;
};

struct cy_bound {
    struct cy_chain registers; /* the chain without edges through memory */
    struct cy_chain memory;    /* the chain with edges through memory */
    struct cy_chain waits;     /* all waits for registers, in no order */
    struct cy_link *passages;  /* all transfers through memory; cycles: what a
                                  transfer costs by itself */
    size_t n_passages;
    unsigned n_unknown; /* instructions that VEX or llvm-mca does not know, or
                           whose flow is cut */
    unsigned n_unknown_cost; /* instructions whose latency is guessed */
    unsigned n_renamed;      /* transfers at varying distances that count as
                                renamed */
    bool *is_guessed;        /* by step: is its latency guessed? */
    struct cy_link *failed;  /* the transfers whose forward fails */
    unsigned n_failed;
};

/* What misses of the caches take is known within this factor: others share the
   last cache, prefetchers follow some streams and not others, and a machine
   file has the sizes as they were at one time.  (Of 41 loops with misses on
   Golden Cove, one pattern and size each, 38 lie within it, and 32 within a
   factor of 2.) */
#define CY_MISSES_WITHIN 3.0

/* What a round of a loop takes, in cycles. */
struct cy_cycles {
    bool has_units;    /* llvm-mca was asked */
    double throughput; /* cycles if nothing waits for a value */
    double occupancy;  /* cycles of divisions and roots in their unit, if nearly
                          all of `steady`; else 0 */
    double ordered;    /* `steady` if atomics and fences dominate; else 0 */
    double without;    /* cycles if no load reads what the loop stored */
    double predicted;  /* cycles of the loop as it is */
    double mended;     /* cycles if values through memory stay in registers */
    double steered;    /* `predicted`, if no branch were mispredicted */
    double cached;     /* `predicted`, if all were in the first caches */
    uint64_t n_recorded;  /* recorded rounds used; 0: made-up rounds */
    double called;        /* the part of `predicted` in callees */
    double steady;        /* `predicted` by made-up rounds */
    double low, high;     /* the range of `predicted`: by what the core does in
                             some runs only; of recorded rounds, by what misses
                             may take; and of made-up rounds, if pairs that
                             only some walks see do not occur, or those that few
                             walks see do */
    bool is_memory_bound; /* `predicted` is 40 % or more above `mended` */
    double all;           /* cycles of the loop's own code in the whole run */
};

/* Dependencies through memory within a loop. */
struct cy_memory_edges {
    struct cy_memory_edge *list; /* `n` edges that count, then rarer ones */
    size_t n, n_all;
    size_t n_unfixed; /* pairs that are no edge because the number of rounds
                         between their ends is not known */
};

/* What a loop waits for that goes round until another thread stores. */
struct cy_spin {
    uint32_t load;                /* the step that loads the value */
    const struct cy_pair *passed; /* the store that other threads made most
                                     often before it; NULL: not known */
};

/* What the figure of a loop leaves out because it is not known. */
struct cy_unknown {
    bool is_spin; /* how often it goes round depends on other threads */
    struct cy_spin spin;
    bool is_cut; /* callees, or other paths of the loop, may be in no window */
    bool has_calls;
    size_t n_insns;   /* instructions that VEX or llvm-mca does not know */
    size_t n_ordered; /* atomics and fences whose cost is not known */
    size_t n_unfixed; /* dependencies over no fixed number of rounds */
    size_t n_renamed; /* transfers at varying distances that count as renamed */
    uint64_t n_passed; /* loads of values that another thread stored; 0: few for
                          the loop's rounds */
    uint64_t
        n_shared; /* accesses to lines shared with other threads; likewise */
    double bytes; /* bytes that a run of the loop accesses, if more than the
                     first cache has; else 0 */
    /* The least and the greatest share of rounds on the figure's path, 1 if
       hardly any is on another; and whether that path is a guess. */
    double share_of_way, most_of_way;
    bool is_way_guessed;
    /* With static edges: instructions whose addresses are data, and whether an
       outer loop may carry a dependency. */
    unsigned n_addresses;
    bool is_supposed; /* an edge assumes that two such addresses are equal */
    bool may_be_carried;
    bool is_doubtful; /* pairs that only some walks see cost a tenth */
    bool is_unsteady; /* what the core does in some runs only costs a tenth */
    bool is_missing;  /* misses make a tenth within what is known of them */
    /* With observed edges: the hottest dependency that is no edge of the loop,
       although it lies in the loop, its callees, or the loop around. */
    const struct cy_pair *hottest;
};

/* Is there no figure at all, since the loop waits for another thread, or has
   atomics or fences of unknown cost, which may take many times what all else
   takes? */
bool cy_unknown_is_all(const struct cy_unknown *unknown);

/* Is the figure only the least that a round takes? */
bool cy_unknown_is_least(const struct cy_unknown *unknown);

/* Is the figure that of rounds on one path, or of rounds whose addresses are
   equal, while other rounds take more or less? */
bool cy_unknown_is_case(const struct cy_unknown *unknown);

/* A loop, and why its rounds take so long. */
struct cy_cost_of_loop {
    const struct cy_loop *loop;
    const char *function; /* NULL: not known */
    const char *name;     /* the user's name of the loop; NULL: none */
    uint64_t address;     /* address of the loop's first block */
    double share;         /* of all executed instructions, in percent */
    bool is_shown;        /* the user wants loops of this share and source */
    uint32_t n;           /* number of instructions */
    struct cy_code_insn *insns;
    struct cy_step *steps; /* one for each instruction */
    struct cy_place {
        uint64_t address;
        uint32_t step;
    } * places; /* the steps, sorted by address */
    struct cy_memory_edges edges;
    size_t n_impossible;      /* edges that contradict others */
    struct cy_mca_insn *mca;  /* by instruction; without llvm-mca, not known */
    struct cy_mca_uses *uses; /* by instruction, like `mca` */
    struct cy_bound bound;
    struct cy_cycles cycles;
    uint64_t iterations; /* in the run, of those rounds that the figure is of:
                            on the loop's path, or all if recorded */
    struct cy_unknown unknown;
};

/* The first step at an address; CY_NO_STEP: none. */
#define CY_NO_STEP UINT32_MAX
uint32_t cy_step_at(const struct cy_cost_of_loop *c, uint64_t address);

struct cy_prediction {
    struct cy_cost_of_loop *loops; /* the shown loops, the most costly first,
                                      then the others */
    size_t n, n_shown;
    double share; /* share of the shown loops in instructions, in percent */
    struct cy_model model;
};

/* Finds the loops, their code and edges, and what llvm-mca says of the code;
   `mca` and `machine` may be NULL.  Reads what `deps` (NULL: none) observed of
   the loops.  cy_figures_of completes it. */
int cy_predict(struct cy_prediction *prediction, struct cy_data *data,
               const char *deps, const struct cy_loops *loops,
               struct cy_code *code, const struct cy_machine *machine,
               struct cy_mca *mca, const struct cy_choice *choice,
               struct diag *d);

/* Finds what the figure of a loop leaves out.  Only direct calls are looked
   into, and only the function that they enter. */
void cy_unknown_of(struct cy_cost_of_loop *cost, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_machine *machine);

/* Does the loop wait for another thread?  Sets for which value. */
bool cy_spin_of(const struct cy_cost_of_loop *cost, const struct cy_data *data,
                struct cy_spin *spin);

/* Adds to all loops what passes between threads in them. */
void cy_unknown_between(struct cy_prediction *prediction,
                        const struct cy_threads *threads);

/* Adapts *unknown to a figure of recorded rounds, which take all paths and
   include callees. */
void cy_unknown_recorded(struct cy_unknown *unknown, bool is_cut,
                         bool has_caches);

void cy_prediction_fini(struct cy_prediction *prediction);

/* --- Dependencies through memory within a loop, and how addresses move --- */

/* Each register's value is followed through a round as a sum of the registers'
   values at the beginning.  A register that ends as itself plus a constant
   moves by that constant in each round; addresses move as their registers do.

   Limits: an address is not known if it was loaded, multiplied or chosen. */

/* A dependency through memory: the load reads what the store wrote `rounds`
   rounds before. */
struct cy_memory_edge {
    uint32_t store, load; /* steps */
    uint32_t rounds;      /* the fewest, if they vary */
    double mean_rounds;   /* by cy_spread; equals `rounds` unless they vary */
    double support;       /* support of the predicted pair; observed: 1 */
    bool is_sure;         /* all walks see it, or depsim observed it */
    bool is_in_run;       /* both ends are always in one run of the loop */
    bool is_observed;     /* depsim recorded `relation` */
    bool has_relation;    /* `relation` is known, from depsim or staticdeps */
    enum cy_relation relation;
    bool has_offset; /* staticdeps knows `offset` */
    int64_t offset;  /* the load's address minus the store's, in bytes */
};

/* Occurrences of a dependency over `first` to `last` rounds. */
struct cy_rounds {
    double first, last; /* at least 1 */
    double occurrences;
};

/* The one number of rounds over which a dependency would cost as much as over
   the distances of the classes; at least classes[0].first.  The first class has
   the smallest distances, and no other overlaps it.  `is_exact`: the classes
   are not blurred by paths of different lengths. */
double cy_spread(const struct cy_rounds *classes, unsigned n, bool is_exact);

/* How far a number moves from each round to the next. */
struct cy_stride {
    bool is_known;
    uint64_t bytes; /* modulo 2^64 */
};

/* The address of an access: in the first round, as a sum of the registers'
   values when the round began, and how far it moves in a round. */
struct cy_moving {
    struct flow_sum sum;
    struct cy_stride stride;
};

/* The addresses of a step's accesses. */
struct cy_strides {
    struct cy_moving loads[FLOW_MOST_LOADS], stores[FLOW_MOST_STORES];
};

/* By step: its addresses in a one-block loop.  The caller frees the array. */
struct cy_strides *cy_strides_new(const struct cy_step *steps, uint32_t n);

/* Does a load's address depend on data: an index that was loaded from addresses
   that move, or computed from one?  A loaded pointer alone is no data. */
bool cy_is_by_data(const struct cy_step *steps, uint32_t n, uint32_t load);
