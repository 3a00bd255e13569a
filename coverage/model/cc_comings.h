/*
 * cc_comings: which walks came to a block.
 *
 * Walks have numbers, and those that came to a block are a list of runs, as
 * static.db has it (doc/schema.md): hot blocks have thousands of walks, and
 * most blocks some neighbours.  Two lists are compared as they are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_COMINGS_H
#define COVERAGE_CC_COMINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cc_comings {
    const uint8_t *bytes;
    size_t n;
};

/* Are the bytes a list of at least one run, without overflow? */
bool cc_comings_are_valid(struct cc_comings list);

/* Is a walk in both?  The lists are valid, or empty. */
bool cc_comings_meet(struct cc_comings a, struct cc_comings b);

#endif
