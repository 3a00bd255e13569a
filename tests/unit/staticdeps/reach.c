/*
 * Which stores may reach which loads, along the ways of a graph.
 *
 * Accesses are mostly of 8 bytes; a block has ten instructions.  Base 2 is
 * never born again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "flow/sd_reach.h"

#define MOST 8
#define P    2u

static struct sd_stretch blocks[MOST];
static struct sd_event events[2 * MOST];
static struct sd_way ways[2 * MOST];
static struct sd_birth births[MOST];
static struct sd_flow_graph graph;

BEFORE_EACH()
{
    free(graph.ends);
    memset(blocks, 0, sizeof blocks);
    memset(events, 0, sizeof events);
    memset(ways, 0, sizeof ways);
    for (int i = 0; i < MOST; i++)
        births[i] = (struct sd_birth){SD_BORN_NEVER, 0, SD_NO_BASE};
    graph = (struct sd_flow_graph){.blocks = blocks,
                                   .events = events,
                                   .ways = ways,
                                   .births = births,
                                   .n_bases = MOST};
}

static void block(void)
{
    blocks[graph.n_blocks++] =
        (struct sd_stretch){.n_insns = 10,
                            .first = (uint32_t)graph.n_events,
                            .first_way = (uint32_t)graph.n_ways};
}

static struct sd_event *event(bool is_store, uint32_t insn, uint32_t base,
                              int64_t offset)
{
    struct sd_event *e = &events[graph.n_events++];

    *e = (struct sd_event){.place = {offset, base},
                           .size = 8,
                           .insn = insn,
                           .site = (uint32_t)graph.n_events,
                           .is_store = is_store,
                           .is_certain = true};
    blocks[graph.n_blocks - 1].n++;
    return e;
}

static struct sd_way *way(uint32_t to)
{
    struct sd_way *w = &ways[graph.n_ways++];

    *w = (struct sd_way){.to = to};
    blocks[graph.n_blocks - 1].n_ways++;
    return w;
}

/* A store to P + 0 at instruction 3 of block 0, site 1. */
static struct sd_event *begin_with_store(void)
{
    block();
    return event(true, 3, P, 0);
}

struct shortest {
    uint32_t n, src, dst, distance;
};

static void take(void *argument, const struct sd_event *store,
                 const struct sd_event *load, uint32_t distance)
{
    struct shortest *s = argument;

    s->n++;
    s->src = store->site;
    s->dst = load->site;
    s->distance = distance;
}

static struct shortest run_within(uint32_t most_insns, uint64_t most_blocks,
                                  bool is_enough)
{
    struct sd_reaching reach;
    struct shortest s = {0};

    sd_reach_init(&reach, most_insns);
    sd_flow_graph_end(&graph);
    assert_int_equal(sd_reach_run(&reach, &graph, most_blocks, take, &s),
                     is_enough);
    sd_reach_fini(&reach);
    return s;
}

static struct shortest run(void)
{
    return run_within(100, 100, true);
}

TEST(a_load_behind_the_store_reads_it)
{
    struct shortest s;

    begin_with_store();
    event(false, 7, P, 0);
    s = run();
    assert_int_equal(s.n, 1);
    assert_int_equal(s.src, 1);
    assert_int_equal(s.dst, 2);
    assert_int_equal(s.distance, 4);
}

TEST(a_load_before_it_reads_it_when_the_block_comes_again)
{
    block();
    event(false, 1, P, 0);
    event(true, 3, P, 0);
    assert_int_equal(run().n, 0);
    way(0);
    assert_int_equal(run().n, 1);
    assert_int_equal(run().distance, 8);
}

TEST(what_is_too_far_in_a_block_is_not_looked_at)
{
    struct sd_reaching reach;
    struct shortest s = {0};

    begin_with_store();
    for (uint32_t insn = 4; insn < 10; insn++)
        event(false, insn, P, 0);
    sd_reach_init(&reach, 2);
    sd_flow_graph_end(&graph);
    assert_true(sd_reach_run(&reach, &graph, 100, take, &s));
    assert_int_equal(s.n, 2);
    assert_int_equal(reach.n_looks, 3);
    sd_reach_fini(&reach);
    /* The events of a callee come by kind. */
    blocks[0].n_inside = 5;
    events[4].insn = 20;
    events[5].insn = 5;
    assert_int_equal(run_within(2, 100, true).n, 3);
}

TEST(places_apart_do_not_meet)
{
    begin_with_store();
    event(false, 7, P, 8);
    event(false, 8, P, -8);
    event(false, 9, P + 1, 0);
    assert_int_equal(run().n, 0);
    event(false, 10, P, -7);
    assert_int_equal(run().n, 1);
}

TEST(a_store_that_covers_it_ends_the_way)
{
    struct sd_event *e;

    begin_with_store();
    e = event(true, 5, P, 0);
    event(false, 7, P, 0);
    assert_int_equal(run().n, 1);
    assert_int_equal(run().src, 2);
    e->is_certain = false; /* both may be read */
    assert_int_equal(run().n, 2);
    e->is_certain = true;
    e->size = 4;
    assert_int_equal(run().n, 2);
}

static void half(bool is_store, uint32_t insn, int64_t offset)
{
    event(is_store, insn, P, offset)->size = 4;
}

TEST(stores_that_cover_its_parts_end_the_way)
{
    begin_with_store();
    half(true, 4, 0);
    way(1);
    block();
    half(true, 4, 4);
    event(false, 7, P, 0);
    assert_int_equal(run().n, 2); /* one for each half */
    assert_int_equal(run().src, 3);
    events[2].is_certain = false;
    assert_int_equal(run().n, 3);
}

TEST(a_part_that_is_not_covered_is_read)
{
    begin_with_store();
    half(true, 4, 0);
    half(false, 5, 4);
    assert_int_equal(run().n, 1);
    assert_int_equal(run().src, 1);
    events[2].place.offset = 0;
    assert_int_equal(run().n, 1);
    assert_int_equal(run().src, 2);
}

TEST(the_shortest_way_counts)
{
    struct shortest s;

    begin_with_store();
    way(1);
    way(2);
    block();
    way(2);
    block();
    event(false, 2, P, 0);
    s = run();
    assert_int_equal(s.n, 1);
    assert_int_equal(s.distance, 9);
}

TEST(too_long_a_way_is_not_gone)
{
    begin_with_store();
    way(1);
    block();
    event(false, 2, P, 0);
    assert_int_equal(run_within(9, 100, true).n, 1);
    assert_int_equal(run_within(8, 100, true).n, 0);
}

TEST(a_base_that_is_born_again_is_another)
{
    begin_with_store();
    way(1);
    block();
    event(false, 2, P, 0);
    births[P].block = 1;
    births[P].event = SD_BORN_BEFORE;
    assert_int_equal(run().n, 0);
    births[P].event = 0;
    assert_int_equal(run().n, 0);
    births[P].event = 1; /* after the load */
    assert_int_equal(run().n, 1);
    births[P].block = 0; /* before the store */
    births[P].event = 0;
    assert_int_equal(run().n, 1);
}

/* P is what lies at base 3. */
TEST(a_base_is_lost_when_its_place_is_stored_to)
{
    struct sd_event *e;

    begin_with_store();
    births[P].parent = 3;
    e = event(true, 4, 3, 0);
    event(false, 7, P, 0);
    assert_int_equal(run().n, 1);
    e->contents = P;
    assert_int_equal(run().n, 0);
    e->contents = SD_NO_BASE;
    births[3].block = 0; /* and the base that holds it */
    births[3].event = 1;
    assert_int_equal(run().n, 0);
}

TEST(what_lies_below_the_stack_is_lost)
{
    struct sd_way *w;

    begin_with_store();
    w = way(1);
    block();
    event(false, 2, P, 0);
    w->bottom = (struct sd_sum){0, P};
    assert_int_equal(run().n, 1);
    w->bottom.offset = 8;
    assert_int_equal(run().n, 0);
}

TEST(it_says_when_the_blocks_are_too_many)
{
    struct sd_reaching reach;
    struct shortest s = {0};

    begin_with_store();
    way(1);
    block();
    way(2);
    block();
    event(false, 2, P, 0);
    assert_int_equal(run_within(100, 2, true).n, 1);
    assert_int_equal(run_within(100, 1, false).n, 0);
    sd_reach_init(&reach, 100); /* the next search knows nothing of the last */
    assert_false(sd_reach_run(&reach, &graph, 1, take, &s));
    assert_true(sd_reach_run(&reach, &graph, 2, take, &s));
    assert_int_equal(s.n, 1);
    sd_reach_fini(&reach);
}

/* Follows what was there at the entry. */
TEST(a_load_before_all_stores_reads_it)
{
    struct sd_reaching reach;
    struct shortest s = {0};
    struct sd_event *load;

    block();
    way(1);
    block();
    load = event(false, 2, P, 0);
    event(true, 3, P, 0);
    event(false, 4, P, 0);
    sd_reach_init(&reach, 100);
    sd_flow_graph_end(&graph);
    assert_true(sd_reach_enter(&reach, &graph, 100, load, take, &s));
    assert_int_equal(s.n, 1);
    assert_int_equal(s.dst, 1);
    assert_int_equal(s.distance, 12);
    sd_reach_fini(&reach);
}

static void take_return(void *argument, const struct sd_event *store,
                        const struct sd_event *load, uint32_t distance)
{
    if (load == NULL)
        take(argument, store, store, distance);
}

TEST(what_is_not_covered_comes_to_a_return)
{
    struct sd_reaching reach;
    struct shortest s = {0};

    begin_with_store();
    event(true, 4, P, 8);
    way(1);
    block();
    event(true, 5, P, 0);
    blocks[1].returns = true;
    sd_reach_init(&reach, 100);
    reach.sees_returns = reach.follows_all = true;
    sd_flow_graph_end(&graph);
    assert_true(sd_reach_run(&reach, &graph, 100, take_return, &s));
    assert_int_equal(s.n, 2);
    assert_int_equal(s.src, 3); /* of the last store */
    assert_int_equal(s.distance, 5);
    s.n = 0;
    assert_true(sd_reach_enter(&reach, &graph, 100, NULL, take_return, &s));
    assert_int_equal(s.n, 1);
    assert_int_equal(s.distance, 20);
    sd_reach_fini(&reach);
}
