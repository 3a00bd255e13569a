/*
 * shell: commands that a message or a report gives to the user.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "shell.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "text.h"

void shell_word(FILE *out, const char *text)
{
    static const char plain[] = "=ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz"
                                "0123456789/._+-:@%,";
    /* A word that begins like a name and has "=" may be an assignment. */
    const char *allowed = *text == '-' ? plain : plain + 1;

    if (*text != '\0' && text[strspn(text, allowed)] == '\0') {
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

char *shell_command(int argc, char *const *argv)
{
    struct memory_stream command;

    assert(argc > 0);
    memory_stream_open(&command);
    shell_word(command.out, text_base_name(argv[0]));
    for (int i = 1; i < argc; i++) {
        fputc(' ', command.out);
        shell_word(command.out, argv[i]);
    }
    return memory_stream_close(&command);
}
