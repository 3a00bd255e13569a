/*
 * stride: where an access of an instruction is expected next, when its
 * addresses lie at equal distances.
 *
 * depsim stores only those addresses of a window that are not where they are
 * expected, and depbound computes the rest, so both use this one definition
 * (doc/schema.md).  A stride changes when a difference comes twice: the end of
 * a row, which is a single other difference, is one miss and not two.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdint.h>

/* All zeros while the access has not happened yet. */
struct stride {
    uint64_t last, difference, by;
    unsigned n_seen; /* accesses seen, up to 2 */
};

/* The next address; `otherwise` if the access has not happened yet. */
static inline uint64_t stride_next(const struct stride *s, uint64_t otherwise)
{
    return s->n_seen == 0 ? otherwise : s->last + s->by;
}

/* Notes that the access has happened at an address. */
static inline void stride_take(struct stride *s, uint64_t address)
{
    uint64_t difference = address - s->last;

    if (s->n_seen > 0) {
        if (s->n_seen == 1 || difference == s->difference)
            s->by = difference;
        s->difference = difference;
    }
    s->n_seen += s->n_seen < 2;
    s->last = address;
}
