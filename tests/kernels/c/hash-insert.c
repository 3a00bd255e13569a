/*
 * hash-insert: puts N keys into an open hash table with linear probing, and
 * counts how often each occurs.
 *
 * At least half of the table stays empty.  The check knows how often each key
 * occurs; each must be in the table once, with that number, and no other key.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(20000)
#define SLOTS (2 * N)

struct slot {
    uint32_t key, count; /* count 0: the slot is empty */
};

/* Multiplies by 2^32 over the golden ratio, after Knuth. */
static inline uint32_t hash(uint32_t key)
{
    return (key * 2654435769u >> 8) % SLOTS;
}

HOT static void insert_all(struct slot *table, const uint32_t *keys)
{
    for (int i = 0; i < N; i++) {
        uint32_t at = hash(keys[i]);

        while (table[at].count > 0 && table[at].key != keys[i])
            at = at + 1 == SLOTS ? 0 : at + 1;
        table[at].key = keys[i];
        table[at].count++;
    }
}

static struct slot table[SLOTS];
static uint32_t keys[N];

/* Makes keys from 0 to N - 1, small ones more often. */
static void fill(void)
{
    for (unsigned i = 0; i < N; i++)
        keys[i] = (uint32_t)(N * pow(kernel_sample(i * i), 2));
}

static unsigned n_left[N];

static void check(void)
{
    memset(n_left, 0, sizeof(n_left));
    for (int i = 0; i < N; i++)
        n_left[keys[i]]++;
    for (int i = 0; i < SLOTS; i++)
        if (table[i].count > 0) {
            kernel_require(table[i].key < N &&
                           n_left[table[i].key] == table[i].count);
            n_left[table[i].key % N] = 0;
        }
    for (int i = 0; i < N; i++)
        kernel_require(n_left[i] == 0);
}

KERNEL("hash-insert", fill(), kernel_clear(table, sizeof(table));
       insert_all(kernel_any(table), kernel_any(keys)))
