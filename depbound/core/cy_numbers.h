/*
 * cy_numbers: numbers in LEB128 that are not trusted.
 *
 * Reading beyond the end gives 0 and sets `failed`, so that a caller may check
 * once for several numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_NUMBERS_H
#define CY_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cy_numbers {
    const uint8_t *at, *end;
    bool failed;
};

static inline struct cy_numbers cy_numbers_of(const uint8_t *bytes, size_t n)
{
    return (struct cy_numbers){.at = bytes, .end = bytes + n};
}

static inline size_t cy_numbers_left(const struct cy_numbers *n)
{
    return (size_t)(n->end - n->at);
}

/* The next number; one of more than 64 bits is a failure. */
static inline uint64_t cy_numbers_take(struct cy_numbers *n)
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
static inline uint64_t cy_numbers_signed(uint64_t stored)
{
    return stored >> 1 ^ (0 - (stored & 1));
}

/* Values that are mostly as predicted: by turns the number of these, and one
   that is not. */
struct cy_sequence {
    struct cy_numbers in;
    bool has_number; /* of those as predicted; still to come: */
    uint64_t n_right;
};

/* Is the next value as predicted?  If not, it follows. */
static inline bool cy_sequence_is_right(struct cy_sequence *s)
{
    if (!s->has_number)
        s->n_right = cy_numbers_take(&s->in);
    s->has_number = s->n_right > 0;
    if (!s->has_number)
        return false;
    s->n_right--;
    return true;
}

/* Were all values taken? */
static inline bool cy_sequence_has_ended(const struct cy_sequence *s)
{
    return s->n_right == 0 && s->in.at == s->in.end && !s->in.failed;
}

#endif
