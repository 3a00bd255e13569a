/*
 * text: UTF-8, and foreign text that is safe to show on a terminal.
 *
 * A terminal obeys control characters: those below U+0020, U+007F, and U+0080
 * to U+009F, which some terminals also take as single bytes.  Other bytes that
 * are not valid UTF-8 are harmless, so they stay.  None of this uses the C
 * library, which a Valgrind tool does not have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_TEXT_H
#define COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 sequence that begins a text, or 0 if none does. */
size_t utf8_length(const char *text);

/* The bytes of the control character that begins a text, or 0 if none does. */
size_t text_control_length(const char *text);

/* The bytes of the character that begins a text, at least 1, and whether it is
   a control character.  A byte that is not valid UTF-8 counts as a character.
 */
size_t text_next(const char *text, bool *is_control);

/* Replaces each control character by "?". */
void text_make_safe(char *text);

/* Does a pattern match the whole text?  `*` matches any characters and `?` one;
   nothing else is special.  O(both lengths multiplied). */
bool text_matches(const char *text, const char *pattern);

/* What follows the last slash of a path, if any. */
const char *text_base_name(const char *path);

/* How many characters must be added, dropped or changed to make one name of the
   other, where the case of letters does not count.  Of long names the first 200
   characters are compared. */
unsigned text_distance(const char *a, const char *b);

#endif
