/*
 * terminal: what a terminal shows, and text that fits it.
 *
 * A width of 0 means that the output is no terminal: programs read it, so
 * nothing is shortened, and no line is broken.  Each character takes one
 * column; wide ones, of Chinese say, take more than is counted here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_TERMINAL_H
#define COMMON_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Does the user want colours in what is written to a descriptor?  It is a
   terminal, TERM is set and not "dumb", and NO_COLOR is unset or empty, which
   is a convention of many programs (no-color.org). */
bool terminal_has_colour(int fd);

/* Its columns: COLUMNS, else what the terminal says, else 80; 0: it is none. */
unsigned terminal_width(int fd);

/* The columns of UTF-8 text; escape sequences of colours take none. */
size_t terminal_columns(const char *text);

/* The columns for what is after so many others in a line, `least` at least; 0
   if the width is. */
size_t terminal_room(unsigned width, size_t columns, size_t least);

/* Writes text, cut and followed by "..." if it is wider than `columns`,
   which are at least 4; 0: all of it. */
void terminal_cut(FILE *out, const char *text, size_t columns);

/* Writes lines of text.  Where one is longer than the width, it goes on in a
   new line, so many columns further in, from a blank that is left out. */
void terminal_fold(FILE *out, const char *text, size_t indent, unsigned width);

#endif
