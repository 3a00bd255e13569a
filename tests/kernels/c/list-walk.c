/*
 * list-walk: follows a linked list that jumps about in memory, counts each
 * visit in its node, and sums what the nodes hold.
 *
 * The check: each walk visited all nodes once, and its sum is that of
 * 0 to N - 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N      SIZE_OR(1000)
#define WALKS  20
#define STRIDE 7919 /* a prime that does not divide N: reaches every node */
_Static_assert(N % STRIDE != 0, "the list would not reach every node");

struct node {
    struct node *next;
    unsigned value, n_visits;
};

static struct node nodes[N];

HOT static uint64_t walk(struct node *node)
{
    uint64_t sum = 0;

    for (; node != NULL; node = node->next) {
        sum += node->value;
        node->n_visits++;
    }
    return sum;
}

static void fill(void)
{
    for (unsigned i = 0; i < N; i++) {
        struct node *node = &nodes[(uint64_t)i * STRIDE % N];

        node->value = i;
        if (i < N - 1)
            node->next = &nodes[(uint64_t)(i + 1) * STRIDE % N];
    }
}

static uint64_t compute(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < N; i++)
        nodes[i].n_visits = 0;
    for (int i = 0; i < WALKS; i++)
        sum += walk(kernel_any(nodes));
    return sum;
}

static uint64_t total;

static void check(void)
{
    for (int i = 0; i < N; i++)
        kernel_require(nodes[i].n_visits == WALKS);
    kernel_require(total == (uint64_t)WALKS * N * (N - 1) / 2);
}

KERNEL("list-walk", fill(), total = compute())
