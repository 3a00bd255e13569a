/* On a straight loop, the core model and the longest chain must agree: both
   have the same nodes and waits, and share only what an instruction costs. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "chain.h"
#include "schedule.h"

#define ROUNDS "400"
#define N      400

struct row {
    const char *body;
    double cycles; /* cycles of a round */
    unsigned n_edges;
    struct cy_memory_edge edges[2];
};

#define EDGE(s, l, r, how)                                                  \
    {                                                                       \
        .store = s, .load = l, .rounds = r, .mean_rounds = r, .support = 1, \
        .has_relation = true, .relation = how                               \
    }

static const char keys[] =
    "'dispatch': {'width': 1000}, 'window': {'reorder_buffer': 448}, "
    "'forward': [{'relation': ['several', 'partial'], 'how': 'failed', "
    "'cycles': 13}, {'copy': true, 'cycles': 7}, {'delta_k': 1, 'store_first': "
    "false, 'how': 'renamed', 'cycles': 0}, {'delta_k': {'from': 2}, 'cycles': "
    "5, 'at_least': 12}, {'cycles': 6}]";

static const struct row rows[] = {
    {"a=3:a b=1:b", 3, 0, {{0}}},
    {"a=3:b b=2:a", 5, 0, {{0}}},
    {"p<p@100 a=1:ap", 4, 0, {{0}}},
    {"a=1:a<p@100 b=2:ab", 2, 0, {{0}}},
    {"a<p@100 b=1:a b>p@100", 1, 1, {EDGE(2, 0, 1, CY_SAME)}},
    {"a<p@100 a>p@100", 7, 1, {EDGE(1, 0, 1, CY_SAME)}},
    {"a<p@100 b=3:a b>p@104.4", 16, 1, {EDGE(2, 0, 1, CY_PARTIAL)}},
    {"a<p@100 b=3:a c=4:c b>p@104.4", 16, 1, {EDGE(3, 0, 1, CY_PARTIAL)}},
    {"a<p@100+8 b=1:a b>p@110+8", 6, 1, {EDGE(2, 0, 2, CY_SAME)}},
    {"a>p@100 b<p@100 a=4:b", 10, 1, {EDGE(0, 1, 0, CY_SAME)}},
    {"a=2:a<p@100 a>q@100 q=9:q", 9, 1, {EDGE(1, 0, 1, CY_SAME)}},
};

static double by_chain(const struct schedule *s, const struct row *row)
{
    struct cy_step *steps = calloc(s->n_insns, sizeof *steps);
    double cycles;

    assert_non_null(steps);
    for (size_t i = 0; i < s->n_insns; i++)
        steps[i] = s->code_steps[i];
    cycles = chain_cycles(steps, (uint32_t)s->n_insns, row->edges, row->n_edges,
                          &s->model);
    free(steps);
    return cycles;
}

TEST(the_model_agrees_with_the_chain_of_a_straight_loop)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char program[256];
        struct schedule *s;
        double chain, model;

        snprintf(program, sizeof program, "[%s /]" ROUNDS, rows[i].body);
        s = schedule_run(keys, program, NULL);
        chain = by_chain(s, &rows[i]);
        model = s->outcome.cycles / (0.75 * N);
        if (chain < 0.999 * rows[i].cycles || chain > 1.001 * rows[i].cycles)
            fail_msg("%s: the chain takes %g, not %g", rows[i].body, chain,
                     rows[i].cycles);
        if (model < 0.97 * chain || model > 1.03 * chain)
            fail_msg("%s: %g by the model, %g by the chain", rows[i].body,
                     model, chain);
        schedule_free(s);
    }
}
