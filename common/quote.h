/*
 * quote: texts and numbers spelt for other programs: a shell, and readers of
 * JSON, for which the caller writes braces, commas and keys itself, by fputs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

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
