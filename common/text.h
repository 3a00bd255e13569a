/*
 * text: numbers, UTF-8, patterns and names in foreign text.
 *
 * Numbers are strict: trailing text, signs, blanks and overflow are refused.
 *
 * A terminal obeys control characters: those below U+0020, U+007F, and U+0080
 * to U+009F, which some terminals also take as single bytes.  Other bytes that
 * are not valid UTF-8 are harmless, so they stay.  None of this uses the C
 * library, which a Valgrind tool does not have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Numbers --- */

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

/* --- Text --- */

/* The length of the UTF-8 sequence that begins a text, or 0 if none does. */
size_t utf8_length(const char *text);

/* The bytes of the control character that begins a text, or 0 if none does. */
size_t text_control_length(const char *text);

/* The bytes of the character that begins a text, at least 1, and whether it is
   a control character.  A byte that is not valid UTF-8 counts as a character.
 */
size_t text_next(const char *text, bool *is_control);

/* Defines a function that names the values of an enumeration, from 0 on. */
#define TEXT_NAMES(function, type, ...)                   \
    const char *function(enum type value)                 \
    {                                                     \
        static const char *const names[] = {__VA_ARGS__}; \
                                                          \
        assert(value < sizeof names / sizeof names[0]);   \
        return names[value];                              \
    }

/* Replaces each control character by "?".  Returns the text, which may be
   NULL. */
char *text_make_safe(char *text);

/* Does a text begin, or end, with another, or is all of it? */
bool text_begins(const char *text, const char *with);
bool text_ends(const char *text, const char *with);

/* Lists of texts end with NULL.  Is a text one of the list?  And the length of
   the first that it begins with; 0: none. */
bool text_is_any(const char *text, const char *const *list);
size_t text_begins_any(const char *text, const char *const *list);

/* Does a pattern match the whole text?  `*` matches any characters and `?` one;
   nothing else is special.  O(both lengths multiplied). */
bool text_matches(const char *text, const char *pattern);

/* The part of a path after its last slash, or all of it if it has none. */
const char *text_base_name(const char *path);

/* How many characters must be added, dropped or changed to make one name of the
   other, where the case of letters does not count.  Of long names the first 200
   characters are compared. */
unsigned text_distance(const char *a, const char *b);
