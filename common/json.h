/*
 * json: the tokens of JSON that need care.
 *
 * The caller writes braces, commas and keys itself, by fputs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include <stdio.h>

/* Writes a text in quotes and escaped, or null for NULL.  Bytes that are not
   valid UTF-8 become U+FFFD, one for each byte. */
void json_text(FILE *out, const char *text);

/* Writes a finite number with the fewest digits that give it back. */
void json_number(FILE *out, double number);

#endif
