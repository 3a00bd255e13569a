/*
 * occurrence: what the occurrences of a dependency are counted by.
 *
 * Lifetime bounds are in instructions, in rising order.  A distance belongs to
 * the smallest bound that is not below it.
 *
 * A forward is how the bytes of a load lie to the stores that wrote them last.
 * A store is one access, of one execution of an instruction.  If one store
 * wrote all bytes of a load, the load can take them from the store before they
 * are in the cache; any other load has to wait until they are.  The cache has
 * bytes that no store wrote, and those of a store that is not near: to the
 * other stores they have no writer.  A store that is not near is itself not
 * forwarded; it counts as partial if it did not write all bytes.
 *
 * It uses no C library, so the Valgrind tool links it too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Forwards --- */

enum forward {
    FORWARD_SAME,      /* one store wrote all bytes, and no others */
    FORWARD_CONTAINED, /* one store wrote all bytes, and more */
    FORWARD_PARTIAL,   /* one store wrote some bytes; the cache has the rest */
    FORWARD_SEVERAL,   /* several near stores wrote the bytes */
    FORWARD_N
};

/* A store is near if it is at most this many instructions before the load.  An
   older one has left the reorder buffer, and its bytes are in the cache.  512
   is the size of Golden Cove's (Intel, "Optimization Reference Manual"), the
   largest in depbound/machines.  Limit: smaller buffers lose stores earlier. */
#define FORWARD_NEAR 512

/* The names of forwards, by kind, and the size of a cache line in bytes. */
#define FORWARD_NAMES                             \
    {                                             \
        "same", "contained", "partial", "several" \
    }
#define FORWARD_LINE 64

/* --- Lifetime bounds --- */

#define LIFETIME_INF  ((uint64_t)INT64_MAX) /* the bound "inf" */
#define LIFETIMES_MAX 64

struct lifetimes {
    unsigned n;
    uint64_t bound[LIFETIMES_MAX]; /* rising, without repetition */
};

/* What depsim counts by default: the powers of two from 1 to 1048576, inf. */
void lifetimes_default(struct lifetimes *l);

/* Reads "N,N,...": each a number from 1 to 2^63 - 1, or "inf"; any order,
   repetitions are dropped.  False, and *l untouched, for anything else or
   for more than LIFETIMES_MAX bounds. */
bool lifetimes_parse(struct lifetimes *l, const char *text);

/* Reads one bound, as in lifetimes_parse, from the n characters at `text`.
   False, and *bound undefined, for anything else. */
bool lifetimes_parse_bound(const char *text, size_t n, uint64_t *bound);

/* Adds one bound where it belongs in the order; false if the list is full. */
bool lifetimes_add(struct lifetimes *l, uint64_t bound);

/* The index of the smallest bound >= distance, or l->n if there is none. */
unsigned lifetimes_find(const struct lifetimes *l, uint64_t distance);

/* A bound as text: "inf", or the number. */
struct bound_text {
    char text[24];
};
struct bound_text bound_text(uint64_t bound);
