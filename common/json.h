/*
 * json: the tokens of JSON that need care, and UTF-8, in which JSON is written.
 *
 * The caller writes braces, commas and keys itself, by fputs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Writes a text in quotes and escaped, or null for NULL.  Bytes that are not
   valid UTF-8 become U+FFFD, one for each byte. */
void json_text(FILE *out, const char *text);

/* Writes a finite number with the fewest digits that give it back. */
void json_number(FILE *out, double number);

/* The length of the UTF-8 sequence that begins a text, or 0 if none does. */
size_t utf8_length(const char *text);

#endif
