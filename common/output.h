/*
 * output: foreign text for its readers: a terminal, a shell, and programs that
 * read JSON; and a pager, which shows long output a screen at a time, as git
 * does.
 *
 * A width of 0 means that the output is no terminal: programs read it, so
 * nothing is shortened, and no line is broken.  Each character counts as one
 * column, even a wide one, such as a Chinese character.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* --- A terminal --- */

/* Is a descriptor a terminal that knows escape sequences?  Yes if TERM is set
   and not "dumb". */
bool terminal_has_controls(int fd);

/* Should output to a terminal with escape sequences have colours?  Yes if
   NO_COLOR is unset or empty (a convention of many programs: no-color.org). */
bool terminal_has_colour(int fd);

/* The columns of a terminal: COLUMNS, else the terminal's own number, else 80;
   0 if the descriptor is no terminal. */
unsigned terminal_width(int fd);

/* Writes foreign text with "?" instead of each control character. */
void terminal_write(FILE *out, const char *text);

/* terminal_write for several lines of text: line ends and tabs stay. */
void terminal_write_lines(FILE *out, const char *text);

/* The columns of UTF-8 text; escape sequences of colours take none. */
size_t terminal_columns(const char *text);

/* The columns that are left in a line after `columns` others, but at least
   `least`; 0 if the width is 0. */
size_t terminal_room(unsigned width, size_t columns, size_t least);

/* Writes text, cut and followed by "..." if it is wider than `columns`, which
   are at least 4; with 0, writes all of it. */
void terminal_cut(FILE *out, const char *text, size_t columns);

/* Writes lines of text.  A line that is longer than the width is broken at a
   blank, which is left out; the rest is indented by `indent` columns. */
void terminal_fold(FILE *out, const char *text, size_t indent, unsigned width);

/* --- The pager --- */

/* If standard output is a terminal, it goes through the command of PAGER from
   now on, or through less, which ends by itself if all fits on a screen. False:
   there is no pager, or PAGER is empty or cat, or the terminal is dumb. */
bool pager_begin(void);

/* Flushes standard output, and waits until the user has seen enough.  False:
   the command of PAGER cannot be run, so nothing was shown. */
bool pager_end(void);

/* --- A shell, and JSON, for which the caller writes braces, commas and keys
 * --- */

/* Writes a text as one word of a shell command, quoted if necessary, so that
   the shell reads exactly this text. */
void shell_word(FILE *out, const char *text);

/* A command of words quoted as by shell_word, which the caller frees.  Of the
   program's path it has only the name. */
char *shell_command(int argc, char *const *argv);

/* Writes a text with `mark` before each character in `special`; controls become
   "?". */
void text_marked(FILE *out, const char *text, const char *special, char mark);

/* Writes a text in quotes and escaped, or null for NULL.  Bytes that are not
   valid UTF-8 become U+FFFD, one for each byte. */
void json_text(FILE *out, const char *text);

/* Writes a finite number with the fewest digits that read back as the same. */
void json_number(FILE *out, double number);
