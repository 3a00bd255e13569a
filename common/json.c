/*
 * json: the tokens of JSON that need care, and UTF-8, in which JSON is written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The well-formed sequences of the Unicode Standard, table 3-7. */
size_t utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (s[0] < forms[i].first_low || s[0] > forms[i].first_high)
            continue;
        if (forms[i].length == 1)
            return 1;
        if (s[1] < forms[i].second_low || s[1] > forms[i].second_high)
            return 0;
        /* The final zero byte of the text is outside all ranges, so this stops
           there. */
        for (size_t j = 2; j < forms[i].length; j++)
            if (s[j] < 0x80 || s[j] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}

/* How many characters at the start need neither an escape nor a test for
   UTF-8. */
static size_t plain_length(const char *s)
{
    size_t n = 0;

    while (s[n] >= 0x20 && s[n] < 0x7f && s[n] != '"' && s[n] != '\\')
        n++;
    return n;
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
    else if (c < 0x20 || c == 0x7f)
        fprintf(out, "\\u%04x", c);
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
    for (;;) {
        size_t plain = plain_length(text);

        fwrite(text, 1, plain, out);
        text += plain;
        if (*text == '\0')
            break;
        text += write_character(out, text);
    }
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
