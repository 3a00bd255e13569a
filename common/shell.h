/*
 * shell: commands that a message or a report gives to the user.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_SHELL_H
#define COMMON_SHELL_H

#include <stdio.h>

/* Writes a text as one word of a shell's command, in quotes if it needs them;
   the shell's word is the text, whatever it holds. */
void shell_word(FILE *out, const char *text);

#endif
