/*
 * Which stores may reach which loads, along the paths of a graph.
 *
 * Accesses are mostly of 8 bytes; a block has ten instructions.  Base 2 is
 * never computed again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "flow/sd_places.h"

#define MOST 8
#define P    2u

static struct sd_stretch blocks[MOST];
static struct sd_event events[2 * MOST];
static struct sd_way ways[2 * MOST];
static struct sd_birth births[MOST];
static struct sd_flow_graph graph;

static void begin(void)
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

static void event(const char *text)
{
    struct sd_event *e = &events[graph.n_events++];
    bool is_store = *text == 's';
    char *at;

    *e = (struct sd_event){.place = {0, P},
                           .size = 8,
                           .insn = (uint32_t)strtoul(text + 1, &at, 10),
                           .site = (uint32_t)graph.n_events,
                           .is_store = is_store,
                           .is_certain = true};
    for (; *at != '\0' && *at != ' ';)
        if (*at == '+' || *at == '-')
            e->place.offset = strtol(at, &at, 10);
        else if (*at == '/')
            e->size = (uint32_t)strtoul(at + 1, &at, 10);
        else if (*at == 'b')
            e->place.base = (uint32_t)strtoul(at + 1, &at, 10);
        else
            e->is_certain = *at++ != '?';
    blocks[graph.n_blocks - 1].n++;
}

/* Makes the graph of a text: blocks between "|"; "s3" is a store at instruction
   3 to P, and "l7" a load, with "+8" of P + 8, with "/4" of 4 bytes, with "b3"
   of base 3, with "?" if it may not happen; ">1" is an edge to block 1. */
static void make(const char *text)
{
    begin();
    block();
    for (; text != NULL; text = strchr(text, ' ')) {
        text += *text == ' ';
        if (*text == '|') {
            block();
        } else if (*text == '>') {
            ways[graph.n_ways++].to = (uint32_t)strtoul(text + 1, NULL, 10);
            blocks[graph.n_blocks - 1].n_ways++;
        } else {
            event(text);
        }
    }
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

/* The search, and the shortest way that was found since it began. */
static struct sd_reaching reach;
static struct shortest s;

static void start(uint32_t most_insns)
{
    sd_reach_fini(&reach);
    sd_reach_init(&reach, most_insns);
    sd_flow_graph_end(&graph);
    s = (struct shortest){0};
}

AFTER_ALL()
{
    sd_reach_fini(&reach);
    free(graph.ends);
}

static struct shortest run_within(uint32_t most_insns, uint64_t most_blocks,
                                  bool is_enough)
{
    start(most_insns);
    assert_int_equal(sd_reach_run(&reach, &graph, most_blocks, take, &s),
                     is_enough);
    return s;
}

static struct shortest run(void)
{
    return run_within(100, 100, true);
}

TEST(stores_too_far_away_in_a_block_are_ignored)
{
    make("s3 l4 l5 l6 l7 l8 l9");
    assert_int_equal(run_within(2, 100, true).n, 2);
    assert_int_equal(reach.n_looks, 3);
    /* The accesses of a callee are ordered by kind. */
    blocks[0].n_inside = 5;
    events[4].insn = 20;
    events[5].insn = 5;
    assert_int_equal(run_within(2, 100, true).n, 3);
}

static void list(void *argument, const struct sd_event *store,
                 const struct sd_event *load, uint32_t distance)
{
    char *text = argument;

    sprintf(text + strlen(text), "%s%u>%u@%u", *text != '\0' ? " " : "",
            store->site, load->site, distance);
}

/* Writes which loads read which stores, as "STORE>LOAD@DISTANCE", with accesses
   numbered from 1. */
static const struct {
    const char *title, *graph;
    uint32_t most_insns;
    const char *expected;
} cases[] = {
    {"a load after the store reads it", "s3 l7", 100, "1>2@4"},
    {"a load before the store does not", "l1 s3", 100, ""},
    {"but it does when the block comes again", "l1 s3 >0", 100, "2>1@8"},
    {"places apart do not meet", "s3 l7+8 l8-8 l9b3", 100, ""},
    {"one byte is enough to meet", "s3 l7+8 l8-8 l9b3 l10-7", 100, "1>5@7"},
    {"a store that covers it ends the way", "s3 s5 l7", 100, "2>3@2"},
    {"both may be read if that may not happen", "s3 s5? l7", 100,
     "1>3@4 2>3@2"},
    {"both are read if it covers a part", "s3 s5/4 l7", 100, "1>3@4 2>3@2"},
    {"stores that cover its parts end the way", "s3 s4/4 >1 | s4+4/4 l7", 100,
     "2>4@13 3>4@3"},
    {"they do not if one may not happen", "s3 s4/4 >1 | s4+4/4? l7", 100,
     "1>4@14 2>4@13 3>4@3"},
    {"a part that is not covered is read", "s3 s4/4 l5+4/4", 100, "1>3@2"},
    {"a part that is covered is not", "s3 s4/4 l5/4", 100, "2>3@1"},
    {"the shortest way counts", "s3 >1 >2 | >2 | l2", 100, "1>2@9"},
    {"the longest way that is gone", "s3 >1 | l2", 9, "1>2@9"},
    {"too long a way is not gone", "s3 >1 | l2", 8, ""},
};

TEST(stores_reach_loads)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char found[200] = "";

        make(cases[i].graph);
        start(cases[i].most_insns);
        assert_true(sd_reach_run(&reach, &graph, 100, list, found));
        if (strcmp(found, cases[i].expected) != 0)
            print_error("%s\n", cases[i].title);
        assert_string_equal(found, cases[i].expected);
    }
}

TEST(a_base_that_is_born_again_is_another)
{
    make("s3 >1 | l2");
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

/* The base P is the value that lies at base 3. */
TEST(a_base_is_lost_when_its_place_is_stored_to)
{
    make("s3 s4b3 l7");
    births[P].parent = 3;
    assert_int_equal(run().n, 1);
    events[1].contents = P;
    assert_int_equal(run().n, 0);
    events[1].contents = SD_NO_BASE;
    births[3].block = 0; /* and the base of P's place is computed anew */
    births[3].event = 1;
    assert_int_equal(run().n, 0);
}

TEST(values_below_the_stack_are_lost)
{
    make("s3 >1 | l2");
    ways[0].bottom = (struct sd_sum){0, P};
    assert_int_equal(run().n, 1);
    ways[0].bottom.offset = 8;
    assert_int_equal(run().n, 0);
}

TEST(a_search_of_too_many_blocks_says_so)
{
    make("s3 >1 | >2 | l2");
    assert_int_equal(run_within(100, 2, true).n, 1);
    assert_int_equal(run_within(100, 1, false).n, 0);
    /* a new search forgets the last one */
    assert_true(sd_reach_run(&reach, &graph, 2, take, &s));
    assert_int_equal(s.n, 1);
}

/* Follows values from the entry of the function. */
TEST(a_load_before_all_stores_reads_it)
{
    make(">1 | l2 s3 l4");
    start(100);
    assert_true(sd_reach_enter(&reach, &graph, 100, &events[0], take, &s));
    assert_int_equal(s.n, 1);
    assert_int_equal(s.dst, 1);
    assert_int_equal(s.distance, 12);
}

static void take_return(void *argument, const struct sd_event *store,
                        const struct sd_event *load, uint32_t distance)
{
    if (load == NULL)
        take(argument, store, store, distance);
}

TEST(a_store_that_is_not_covered_reaches_a_return)
{
    make("s3 s4+8 >1 | s5");
    blocks[1].returns = true;
    start(100);
    reach.sees_returns = reach.follows_all = true;
    assert_true(sd_reach_run(&reach, &graph, 100, take_return, &s));
    assert_int_equal(s.n, 2);
    assert_int_equal(s.src, 3); /* that of the last store */
    assert_int_equal(s.distance, 5);
    s.n = 0;
    assert_true(sd_reach_enter(&reach, &graph, 100, NULL, take_return, &s));
    assert_int_equal(s.n, 1);
    assert_int_equal(s.distance, 20);
}
