/* cy_numbers: numbers in LEB128 from untrusted bytes, as windows are stored
 * (doc/schema.md). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "basics.h"

/* Reading beyond the end gives 0 and sets `failed`, so that a caller may check
   once for several numbers. */
struct numbers {
    const uint8_t *at, *end;
    bool failed;
};

static inline struct numbers numbers_of(const uint8_t *bytes, size_t n)
{
    return (struct numbers){.at = bytes, .end = bytes + n};
}

static inline size_t numbers_left(const struct numbers *n)
{
    return (size_t)(n->end - n->at);
}

/* The next number; one of more than 64 bits is a failure. */
static inline uint64_t numbers_take(struct numbers *n)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && n->at < n->end; shift += 7) {
        uint8_t byte = *n->at++;
        uint64_t bits = byte & 0x7f;

        if (shift == 63 && bits > 1)
            break;
        value |= bits << shift;
        if (byte < 0x80)
            return value;
    }
    n->failed = true;
    n->at = n->end;
    return 0;
}

/* A number that is stored as 2n or -2n - 1. */
static inline uint64_t numbers_signed(uint64_t stored)
{
    return stored >> 1 ^ (0 - (stored & 1));
}

/* Values that are mostly as predicted, encoded as the number of right
   predictions, a value that was not predicted, the next number, and so on. */
struct sequence {
    struct numbers in;
    bool has_number; /* the number was read; n_right of it are left */
    uint64_t n_right;
};

/* Is the next value as predicted?  If not, the caller reads it from `in`. */
static inline bool sequence_is_right(struct sequence *s)
{
    if (!s->has_number)
        s->n_right = numbers_take(&s->in);
    s->has_number = s->n_right > 0;
    if (!s->has_number)
        return false;
    s->n_right--;
    return true;
}

/* Were all values taken? */
static inline bool sequence_has_ended(const struct sequence *s)
{
    return s->n_right == 0 && s->in.at == s->in.end && !s->in.failed;
}
