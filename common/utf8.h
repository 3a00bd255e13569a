/*
 * utf8: which bytes of a text are UTF-8.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include <stddef.h>

/* The length of the sequence that begins a text, or 0 if none does. */
size_t utf8_length(const char *text);

#endif
