/*
 * num: strict numbers.  Trailing text, signs, blanks and overflow are refused.
 *
 * It uses no C library, so the Valgrind tool links it too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_NUM_H
#define COMMON_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The decimal, or after "0x" hexadecimal, number that the n characters at
   `text` spell.  False, and *value untouched, if they do not spell one or it
   does not fit 64 bits. */
bool num_parse_span(const char *text, size_t n, uint64_t *value);

/* The number that a whole zero-terminated text spells.  False, and *value
   untouched, if it does not spell one or it does not fit 64 bits. */
bool num_parse(const char *text, uint64_t *value);

/* A percentage from 0 to 100, with at most nine digits after a point, and
   optionally a percent sign.  False, and *value untouched, otherwise. */
bool num_parse_percent(const char *text, double *value);

/* The greatest common divisor; a number and 0 have the number. */
static inline uint64_t num_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

#endif
