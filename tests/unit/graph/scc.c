/* Strongly connected components, against a search from each node. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "graph/loops.h"

#define MOST 24u

static struct scc scc;

/* The edges, for each pair of nodes. */
struct matrix {
    uint32_t n;
    bool leads[MOST][MOST];
};

/* Edge i of a node leads to node i; it is skipped if there is none. */
static uint32_t successor(const void *of, uint32_t node, uint32_t i)
{
    const struct matrix *g = of;

    if (i >= g->n)
        return GRAPH_END;
    return g->leads[node][i] ? i : GRAPH_SKIP;
}

/* Makes g the relation "reaches by one edge or more". */
static void close_over(struct matrix *g)
{
    for (uint32_t k = 0; k < g->n; k++)
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t j = 0; j < g->n; j++)
                if (g->leads[i][k] && g->leads[k][j])
                    g->leads[i][j] = true;
}

static void assert_order(const struct matrix *reach)
{
    bool is_member[MOST] = {false};

    assert_int_equal(scc.first[0], 0);
    assert_int_equal(scc.first[scc.n_components], reach->n);
    for (uint32_t c = 0; c < scc.n_components; c++) {
        assert_true(scc.first[c] < scc.first[c + 1]);
        for (uint32_t i = scc.first[c]; i < scc.first[c + 1]; i++) {
            assert_int_equal(scc.component[scc.members[i]], c);
            is_member[scc.members[i]] = true;
        }
    }
    for (uint32_t i = 0; i < reach->n; i++)
        assert_true(is_member[i]);
}

TEST(nodes_that_reach_each_other_are_one_component_after_what_they_reach)
{
    for (unsigned round = 0; round < 3000; round++) {
        struct matrix g = {.n = unit_below(MOST + 1)};
        uint32_t n_edges = g.n == 0 ? 0 : unit_below(2 * g.n + 1);

        for (uint32_t i = 0; i < n_edges; i++)
            g.leads[unit_below(g.n)][unit_below(g.n)] = true;
        scc_find(&scc, &(struct graph){&g, g.n, successor});
        close_over(&g);
        assert_order(&g);
        for (uint32_t i = 0; i < g.n; i++)
            for (uint32_t j = 0; j < g.n; j++) {
                bool is_same = i == j || (g.leads[i][j] && g.leads[j][i]);

                assert_true(is_same == (scc.component[i] == scc.component[j]));
                if (g.leads[i][j])
                    assert_true(scc.component[i] >= scc.component[j]);
            }
    }
}

TEST(a_graph_without_nodes_has_no_component)
{
    struct matrix g = {.n = 0};

    scc_find(&scc, &(struct graph){&g, 0, successor});
    assert_int_equal(scc.n_components, 0);
    assert_int_equal(scc.first[0], 0);
}

TEST(a_node_alone_is_a_component_whether_it_leads_to_itself_or_not)
{
    struct matrix g = {.n = 2};

    g.leads[1][1] = true;
    scc_find(&scc, &(struct graph){&g, 2, successor});
    assert_int_equal(scc.n_components, 2);
    assert_int_equal(scc.members[0], 0);
    assert_int_equal(scc.members[1], 1);
}

/* Each node leads to the next, and the last to node 0 if there is a cycle. */
struct chain {
    uint32_t n;
    bool is_cycle;
};

static uint32_t next_in_chain(const void *of, uint32_t node, uint32_t i)
{
    const struct chain *chain = of;

    if (i > 0)
        return GRAPH_END;
    if (node + 1 < chain->n)
        return node + 1;
    return chain->is_cycle ? 0 : GRAPH_SKIP;
}

TEST(a_path_through_a_million_nodes_does_not_overflow_the_stack)
{
    struct chain chain = {1000000, true};

    scc_find(&scc, &(struct graph){&chain, chain.n, next_in_chain});
    assert_int_equal(scc.n_components, 1);
    chain.is_cycle = false;
    scc_find(&scc, &(struct graph){&chain, chain.n, next_in_chain});
    assert_int_equal(scc.n_components, chain.n);
    assert_int_equal(scc.members[0], chain.n - 1);
}

BEFORE_ALL()
{
    scc_init(&scc);
}

AFTER_ALL()
{
    scc_fini(&scc);
}
