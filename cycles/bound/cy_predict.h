/*
 * cy_predict: the loops of a program with what each costs, and why.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PREDICT_H
#define CY_PREDICT_H

#include "bound/cy_bound.h"
#include "loops/cy_loops.h"
#include "mca/cy_mca.h"

/* Which dependencies through memory are edges of the graphs. */
enum cy_edges { CY_EDGES_NONE, CY_EDGES_STATIC, CY_EDGES_OBSERVED };

struct cy_choice {
    enum cy_edges edges;
    double min_support;   /* of a predicted pair, from 0 to 1 */
    double min_share;     /* of all executed instructions, in percent */
    const char *function; /* only its loops; NULL: all */
};

/* What a round of a loop takes, in cycles. */
struct cy_cycles {
    bool has_throughput; /* llvm-mca was asked */
    double throughput;
    double occupancy;          /* for which a unit is taken */
    double without, predicted; /* without and with edges through memory */
    /* Both bounds if runs of the loop overlap: chains through registers end
       with each run, and chains through memory do if all of their dependencies
       lie in one run. */
    double short_runs_without, short_runs;
    bool is_memory_bound; /* memory raises it by 40 % or more */
};

/* Dependencies through memory within a loop. */
struct cy_memory_edges {
    struct cy_memory_edge *list;
    size_t n;
    size_t n_unfixed; /* pairs that are no edges, since the rounds between their
                         ends are not known */
};

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
    struct cy_mca_region region; /* by instruction; without llvm-mca, empty */
    struct cy_bound bound;
    struct cy_cycles cycles;
};

struct cy_prediction {
    struct cy_cost_of_loop *loops; /* those that are shown, the most costly
                                      first; then the others */
    size_t n, n_shown;
    double share; /* of all executed instructions in those, in percent */
};

/* `mca` may be NULL: then there is no throughput.  `machine` may be NULL. */
int cy_predict(struct cy_prediction *prediction, const struct cy_data *data,
               const struct cy_loops *loops, struct cy_code *code,
               struct cy_mca *mca, const struct cy_machine *machine,
               const struct cy_choice *choice, struct diag *d);
void cy_prediction_fini(struct cy_prediction *prediction);

#endif
