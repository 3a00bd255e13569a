/* Pairs that the flow of data adds to those that walks show. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "functions.h"

static struct sd_explorer explorer;
static struct sd_flows flows;

/* Walks function 0, of `n_insns` instructions cmpxchg16b (%rdi), then follows
   its flow, with at most `n_walks` of the walks. */
static void follow(unsigned n_insns, unsigned n_walks)
{
    struct sd_effort effort = sd_effort_of(5);
    char hex[256] = "";
    size_t end = 0;

    for (unsigned i = 0; i < n_insns; i++)
        strcat(hex, "480fc70f");
    strcat(hex, "c3");
    analyse(hex, 0);
    sd_explorer_init(&explorer, &program, &effort, 1);
    sd_flows_init(&flows, &explorer);
    sd_explore(&explorer, 0);
    for (; n_walks > 0 && end < explorer.walks_size; n_walks--)
        end += 1 + explorer.walks[end].number;
    assert_int_equal(n_walks, 0);
    explorer.walks_size = end;
    sd_flows_of(&flows, 0, &explorer);
}

static void end(void)
{
    sd_flows_fini(&flows);
    sd_explorer_fini(&explorer);
}

TEST(flow_adds_pairs_that_walks_do_not_show)
{
    /* Each store of a half may reach each later load of it; in walks, where all
       stores happen, it reaches only the next one. */
    follow(10, 0);
    assert_true(flows.is_complete);
    assert_in_range(flows.n, 36, 45);
    end();
}

TEST(flow_does_not_add_pairs_that_a_walk_could_have_shown)
{
    follow(10, 1);
    assert_true(flows.is_complete);
    assert_int_equal(flows.pairs.n, 0);
    assert_int_equal(flows.n, 0);
    end();
    /* The walks of one function say nothing about the next. */
    follow(10, 0);
    assert_true(flows.n > 0);
    end();
}
