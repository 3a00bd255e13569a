/*
 * cc_json: the tokens of JSON that are not plain text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_JSON_H
#define COVERAGE_CC_JSON_H

#include <stdio.h>

#include "judge/cc_score.h"

/* Writes a text in quotes and escaped, or null for NULL.  Bytes that are not
   valid UTF-8 become U+FFFD, one for each byte. */
void cc_json_text(FILE *out, const char *text);

/* Writes a finite number with the fewest digits that give it back. */
void cc_json_number(FILE *out, double number);

/* A percentage, or null without data. */
void cc_json_ratio(FILE *out, struct cc_ratio ratio);

/* A number, or "inf". */
void cc_json_bound(FILE *out, uint64_t bound);

#endif
