/*
 * lifetimes: an ordered list of lifetime bounds, in instructions.
 *
 * A distance belongs to the smallest bound that is not below it.  It uses no
 * C library, so the Valgrind tool links it too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_LIFETIMES_H
#define COMMON_LIFETIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Reads one such bound from the n characters at `text`.  False, and *bound
   undefined, for anything else. */
bool lifetimes_parse_bound(const char *text, size_t n, uint64_t *bound);

/* Adds one bound in its place; false if the list is full. */
bool lifetimes_add(struct lifetimes *l, uint64_t bound);

/* The index of the smallest bound >= distance, or l->n if there is none. */
unsigned lifetimes_find(const struct lifetimes *l, uint64_t distance);

#endif
