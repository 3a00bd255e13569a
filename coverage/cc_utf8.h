/*
 * cc_utf8: which bytes of a text are UTF-8.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_UTF8_H
#define COVERAGE_CC_UTF8_H

#include <stddef.h>

/* The length of the sequence that begins a text, or 0 if none does. */
size_t cc_utf8_length(const char *text);

#endif
