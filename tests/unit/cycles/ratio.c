/*
 * The critical cycle of graphs, against slow methods that cannot go wrong in
 * the same way: all simple cycles of small graphs, and of large ones the proof
 * that no cycle has a higher ratio.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "bound/internal.h"

#define MOST_NODES 400u

/* Weights are whole numbers of quarters, so that sums of them are exact. */
#define CLOSE 1e-6

static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
    state =
        state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % n;
}

static void edge(struct cy_graph *g, uint32_t from, uint32_t to, double rounds,
                 double weight)
{
    cy_graph_add(
        g, (struct cy_edge){
               .from = from, .to = to, .rounds = rounds, .weight = weight});
}

/* The size of a random graph. */
struct kind {
    uint32_t n_nodes, n_edges;
    uint32_t n_weights, n_rounds; /* how many different ones */
};

/* Edges within a round lead to later nodes, by an order of their own, so that
   each cycle spans a round. */
static struct cy_graph random_graph(const struct kind *kind)
{
    struct cy_graph g = {.n_nodes = kind->n_nodes};
    uint32_t place[MOST_NODES];

    for (uint32_t i = 0; i < g.n_nodes; i++) {
        uint32_t j = below(i + 1);

        place[i] = place[j];
        place[j] = i;
    }
    for (uint32_t i = 0; i < kind->n_edges; i++) {
        uint32_t from = below(g.n_nodes), to = below(g.n_nodes),
                 rounds = below(kind->n_rounds + 1);

        if (rounds == 0 && place[from] >= place[to])
            rounds = 1;
        edge(&g, from, to, rounds, below(kind->n_weights) * 0.25);
    }
    return g;
}

/* A loop's graph: chains within the round, and a few edges around. */
static struct cy_graph random_loop(uint32_t n)
{
    struct cy_graph g = {.n_nodes = n};

    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = below(3); k > 0; k--)
            edge(&g, i - 1 - below(i < 8 ? i : 8), i, 0, 1 + below(5));
    for (uint32_t k = 0; k < n / 4 + 1; k++)
        edge(&g, below(n), below(n), 1 + below(3), below(20) * 0.5);
    return g;
}

/* --- All simple cycles --- */

struct walk {
    const struct cy_graph *graph;
    uint32_t start;
    bool is_on_way[MOST_NODES];
    double best;
};

static void extend(struct walk *w, uint32_t node, double weight, double rounds)
{
    w->is_on_way[node] = true;
    for (size_t i = 0; i < w->graph->n_edges; i++) {
        const struct cy_edge *e = &w->graph->edges[i];

        if (e->from != node)
            continue;
        if (e->to == w->start)
            w->best =
                fmax(w->best, (weight + e->weight) / (rounds + e->rounds));
        /* Each cycle is found from its smallest node. */
        if (e->to > w->start && !w->is_on_way[e->to])
            extend(w, e->to, weight + e->weight, rounds + e->rounds);
    }
    w->is_on_way[node] = false;
}

static double best_of_all(const struct cy_graph *graph)
{
    struct walk w = {.graph = graph};

    for (w.start = 0; w.start < graph->n_nodes; w.start++)
        extend(&w, w.start, 0, 0);
    return w.best;
}

/* --- Bellman and Ford's test, as in Lawler's method --- */

/* Is there a cycle that takes longer than `ratio` for each round? */
static bool has_longer(const struct cy_graph *graph, double ratio)
{
    double *longest = calloc(graph->n_nodes + 1, sizeof *longest);
    bool changed = true;

    assert_non_null(longest);
    for (uint32_t pass = 0; changed && pass <= graph->n_nodes; pass++) {
        changed = false;
        for (size_t i = 0; i < graph->n_edges; i++) {
            const struct cy_edge *e = &graph->edges[i];
            double way = longest[e->from] + e->weight - ratio * e->rounds;

            if (way > longest[e->to] + 1e-10) {
                longest[e->to] = way;
                changed = true;
            }
        }
    }
    free(longest);
    return changed;
}

/* --- What is found --- */

/* Is it a cycle of the graph that meets no node twice, with its ratio? */
static void assert_cycle(const struct cy_graph *graph,
                         const struct cy_cycle *cycle)
{
    bool is_met[MOST_NODES] = {false};
    double weight = 0;
    double rounds = 0;

    assert_true(cycle->n > 0);
    for (size_t i = 0; i < cycle->n; i++) {
        const struct cy_edge *e = &graph->edges[cycle->edges[i]];

        assert_true(cycle->edges[i] < graph->n_edges);
        assert_int_equal(e->to,
                         graph->edges[cycle->edges[(i + 1) % cycle->n]].from);
        assert_false(is_met[e->from]);
        is_met[e->from] = true;
        weight += e->weight;
        rounds += e->rounds;
    }
    assert_true(rounds > 0);
    assert_true(fabs(cycle->ratio - weight / rounds) < CLOSE);
}

/* Are the critical cycles of all parts such ones, apart from each other, and is
   `best` the largest ratio? */
static void assert_all(const struct cy_graph *graph, double best)
{
    bool is_met[MOST_NODES] = {false};
    double largest = 0;
    size_t n;
    struct cy_cycle *cycles = cy_graph_all_critical(graph, 0, &n);

    for (size_t i = 0; i < n; i++) {
        assert_cycle(graph, &cycles[i]);
        assert_true(cycles[i].ratio > 0);
        largest = fmax(largest, cycles[i].ratio);
        for (size_t k = 0; k < cycles[i].n; k++) {
            uint32_t node = graph->edges[cycles[i].edges[k]].from;

            assert_false(is_met[node]);
            is_met[node] = true;
        }
        free(cycles[i].edges);
    }
    free(cycles);
    assert_true(fabs(largest - best) < CLOSE);
}

/* The ratio of the graph, which is freed. */
static double ratio_of(struct cy_graph *graph)
{
    struct cy_cycle cycle = cy_graph_critical(graph);

    if (cycle.ratio > 0) {
        assert_cycle(graph, &cycle);
    } else {
        assert_true(cycle.ratio == 0);
        assert_int_equal(cycle.n, 0);
    }
    assert_false(has_longer(graph, cycle.ratio + CLOSE));
    assert_all(graph, cycle.ratio);
    free(cycle.edges);
    cy_graph_fini(graph);
    return cycle.ratio;
}

static void assert_ratio(struct cy_graph *graph, double ratio)
{
    assert_true(fabs(ratio_of(graph) - ratio) < CLOSE);
}

TEST(without_a_cycle_there_is_no_ratio)
{
    struct cy_graph none = {0}, alone = {.n_nodes = 1}, way = {.n_nodes = 3};

    assert_ratio(&none, 0);
    assert_ratio(&alone, 0);
    edge(&way, 0, 1, 1, 4);
    edge(&way, 1, 2, 0, 4);
    assert_ratio(&way, 0);
}

TEST(a_cycle_without_weight_has_no_ratio)
{
    struct cy_graph g = {.n_nodes = 2};

    edge(&g, 0, 1, 1, 0);
    edge(&g, 1, 0, 0, 0);
    assert_ratio(&g, 0);
}

TEST(an_edge_to_itself_is_a_cycle)
{
    struct cy_graph g = {.n_nodes = 2};

    edge(&g, 0, 1, 0, 50);
    edge(&g, 1, 1, 2, 9);
    assert_ratio(&g, 4.5);
}

TEST(the_best_of_parallel_edges_counts)
{
    struct cy_graph g = {.n_nodes = 2};

    edge(&g, 0, 1, 0, 3);
    edge(&g, 0, 1, 0, 4);
    edge(&g, 0, 1, 1, 6); /* 7 in two rounds */
    edge(&g, 1, 0, 1, 1);
    assert_ratio(&g, 5);
}

TEST(the_best_of_several_components_counts)
{
    struct cy_graph g = {.n_nodes = 6};

    edge(&g, 0, 1, 0, 1);
    edge(&g, 1, 0, 1, 1);
    edge(&g, 1, 2, 0, 100); /* on no cycle */
    edge(&g, 2, 3, 1, 4);
    edge(&g, 3, 2, 1, 5);
    edge(&g, 3, 4, 3, 100);
    edge(&g, 4, 5, 0, 1);
    edge(&g, 5, 4, 1, 3);
    assert_ratio(&g, 4.5);
}

TEST(each_component_with_a_larger_ratio_has_its_cycle)
{
    struct cy_graph g = {.n_nodes = 6};
    struct cy_cycle *cycles;
    size_t n;

    edge(&g, 0, 1, 0, 1);
    edge(&g, 1, 0, 1, 1);
    edge(&g, 1, 2, 0, 100);
    edge(&g, 2, 3, 1, 4);
    edge(&g, 3, 2, 1, 5);
    edge(&g, 4, 4, 1, 3);
    cycles = cy_graph_all_critical(&g, 2, &n);
    assert_int_equal(n, 2);
    assert_true(fabs(cycles[0].ratio - 4.5) < CLOSE);
    assert_true(fabs(cycles[1].ratio - 3) < CLOSE);
    free(cycles[0].edges);
    free(cycles[1].edges);
    free(cycles);
    cy_graph_fini(&g);
}

/* All ratios equal: whichever cycle is found has it. */
TEST(cycles_of_equal_ratio_give_that_ratio)
{
    struct cy_graph g = {.n_nodes = 8};

    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++)
            edge(&g, i, j, 1 + (i + j) % 3, 2.5 * (1 + (i + j) % 3));
    assert_ratio(&g, 2.5);
}

TEST(small_graphs_have_the_ratio_of_all_their_cycles)
{
    uint32_t with_cycle = 0;

    for (uint32_t i = 0; i < 5000; i++) {
        struct kind kind = {.n_nodes = 1 + below(7),
                            .n_weights = i % 3 == 0 ? 2 : 30,
                            .n_rounds = 1 + below(4)};
        struct cy_graph g;
        double best;

        kind.n_edges = below(2 * kind.n_nodes + 3);
        g = random_graph(&kind);
        best = best_of_all(&g);
        with_cycle += best > 0;
        assert_ratio(&g, best);
    }
    assert_in_range(with_cycle, 1000, 4999);
}

/* ratio_of shows that no cycle is better. */
TEST(large_graphs_have_no_better_cycle)
{
    for (uint32_t i = 0; i < 300; i++) {
        struct kind kind = {.n_nodes = 20 + below(80),
                            .n_weights = 1 + below(100),
                            .n_rounds = 1 + below(6)};
        struct cy_graph g;

        kind.n_edges = kind.n_nodes * (1 + below(4));
        g = random_graph(&kind);
        ratio_of(&g);
    }
}

TEST(loops_have_no_better_cycle)
{
    for (uint32_t i = 0; i < 300; i++) {
        struct cy_graph g = random_loop(2 + below(i % 50 == 0 ? 398 : 60));

        ratio_of(&g);
    }
}

/* Each node's way of one edge is worse than that around all. */
TEST(one_long_cycle_is_found_among_many_short_ones)
{
    struct cy_graph g = {.n_nodes = MOST_NODES};

    for (uint32_t i = 0; i < MOST_NODES; i++) {
        edge(&g, i, i, 1, 7);
        edge(&g, i, (i + 1) % MOST_NODES, i + 1 == MOST_NODES, 3);
    }
    assert_ratio(&g, 3.0 * MOST_NODES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_cycle_there_is_no_ratio),
        cmocka_unit_test(a_cycle_without_weight_has_no_ratio),
        cmocka_unit_test(an_edge_to_itself_is_a_cycle),
        cmocka_unit_test(the_best_of_parallel_edges_counts),
        cmocka_unit_test(the_best_of_several_components_counts),
        cmocka_unit_test(each_component_with_a_larger_ratio_has_its_cycle),
        cmocka_unit_test(cycles_of_equal_ratio_give_that_ratio),
        cmocka_unit_test(small_graphs_have_the_ratio_of_all_their_cycles),
        cmocka_unit_test(large_graphs_have_no_better_cycle),
        cmocka_unit_test(loops_have_no_better_cycle),
        cmocka_unit_test(one_long_cycle_is_found_among_many_short_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
