/*
 * shell: commands that a message or a report gives to the user.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_SHELL_H
#define COMMON_SHELL_H

#include <stdio.h>

/* Writes a text as one word of a shell command, quoted if necessary, so that
   the shell reads exactly this text. */
void shell_word(FILE *out, const char *text);

/* A command, quoted like this, which the caller frees; of the program's path
   only the name. */
char *shell_command(int argc, char *const *argv);

#endif
