/* Dependencies that a block alone does not show, each for a different
   reason. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>

#define N 2000

struct node {
    struct node *next;
    long value;
};

static uint32_t count[64], a[N + 8];
static uint8_t data[N];
static struct node nodes[16];

__attribute__((noinline)) static void histogram(const uint8_t *d, uint32_t *c)
{
    for (int i = 0; i < N; i++)
        c[d[i]]++;
}

__attribute__((noinline)) static void walk(struct node *p)
{
    for (int i = 0; i < N; i++) {
        p->value += 3;
        p = p->next;
    }
}

__attribute__((noinline)) static void alias(uint32_t *to, const uint32_t *from)
{
    for (int i = 0; i < N; i++)
        to[i] = from[i] + 1;
}

__attribute__((noinline)) static void sweep(uint32_t *p)
{
    for (int i = 0; i < N; i++)
        p[i] += p[i + 1];
}

/* Some 60 instructions lie between a call's store and the next call's load. */
__attribute__((noinline)) static void short_sweep(uint32_t *p)
{
    for (int i = 0; i < 8; i++)
        p[i] += p[i + 1];
}

int main(void)
{
    for (int i = 0; i < N; i++)
        data[i] = (uint8_t)(i * i % 61);
    for (int i = 0; i < 16; i++)
        nodes[i].next = &nodes[(i * 5 + 1) % 16];
    for (int t = 0; t < 5; t++) {
        histogram(data, count);
        walk(nodes);
        alias(a + 1, a);
        sweep(a);
    }
    for (int t = 0; t < 500; t++)
        short_sweep(count);
    return count[1] == 0;
}
