/*
 * shell: commands that a message or a report gives to the user.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "shell.h"

#include <string.h>

void shell_word(FILE *out, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz"
                                "0123456789/._+-:@%,";

    if (*text != '\0' && text[strspn(text, plain)] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}
