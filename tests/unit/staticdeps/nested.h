/* nested: two loops, one in the other: block 1 is the header of a loop, 2 and 3
   are a loop in it with header 2; 0 and 5 are outside. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "walk/sd_rounds.h"

enum { BEFORE, OUTER, INNER, LATCH, END, BEHIND, N };

static struct sd_node nodes[N];
static struct loops loops;
static struct sd_rounds rounds;

static void edge(unsigned from, unsigned to)
{
    nodes[from].next[nodes[from].next[0] != NULL] = &nodes[to];
}

BEFORE_EACH()
{
    memset(nodes, 0, sizeof nodes);
    for (uint32_t i = 0; i < N; i++)
        nodes[i].number = i;
    edge(BEFORE, OUTER);
    edge(OUTER, INNER);
    edge(INNER, LATCH);
    edge(LATCH, INNER);
    edge(LATCH, END);
    edge(END, OUTER);
    edge(END, BEHIND);
    sd_cfg_find_loops(&loops, nodes, N);
    sd_rounds_init(&rounds, &loops, nodes, N);
    sd_rounds_begin(&rounds, 1);
}

AFTER_EACH()
{
    sd_rounds_fini(&rounds);
    loops_fini(&loops);
}
