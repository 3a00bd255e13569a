/*
 * text: UTF-8, and foreign text that is safe to show on a terminal.
 *
 * A terminal obeys control characters: those below U+0020, U+007F, and U+0080
 * to U+009F, which some terminals also take as single bytes.  Other bytes that
 * are not valid UTF-8 are harmless, so they stay.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_TEXT_H
#define COMMON_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* The length of the UTF-8 sequence that begins a text, or 0 if none does. */
size_t utf8_length(const char *text);

/* The bytes of the control character that begins a text, or 0 if none does. */
size_t text_control_length(const char *text);

/* Replaces each control character by "?". */
void text_make_safe(char *text);

/* Writes a text with "?" instead of each control character. */
void text_write_safe(FILE *out, const char *text);

/* What follows the last slash of a path, if any. */
const char *text_base_name(const char *path);

#endif
