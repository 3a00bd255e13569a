/*
 * json: the tokens of JSON that need care.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "text.h"

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
