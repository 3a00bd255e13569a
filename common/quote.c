/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "quote.h"

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

void text_marked(FILE *out, const char *text, const char *special, char mark)
{
    char *safe = memory_text(text);

    text_make_safe(safe);
    for (const char *c = safe; *c != '\0'; c++) {
        if (strchr(special, *c) != NULL)
            fputc(mark, out);
        fputc(*c, out);
    }
    free(safe);
}

/* Writes one character and returns the number of its bytes. */
static size_t write_character(FILE *out, const char *s)
{
    unsigned char c = (unsigned char)*s;
    size_t n = utf8_length(s);

    assert(c != '\0' && n <= 4);
    if (n == 0) {
        fputs("\\ufffd", out);
        return 1;
    }
    if (c == '"' || c == '\\')
        fprintf(out, "\\%c", c);
    else if (text_control_length(s) > 0)
        fprintf(out, "\\u%04x", n == 2 ? (unsigned char)s[1] : c);
    else
        fwrite(s, 1, n, out);
    return n;
}

void json_text(FILE *out, const char *text)
{
    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    while (*text != '\0')
        text += write_character(out, text);
    fputc('"', out);
}

void json_number(FILE *out, double number)
{
    char text[32];

    assert(isfinite(number));
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, out);
}
