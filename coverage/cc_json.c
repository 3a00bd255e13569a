/*
 * cc_json: the tokens of JSON that are not plain text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_json.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

/* The length of the UTF-8 sequence that begins here, or 0 if none does: the
   well-formed sequences of the Unicode Standard, table 3-7. */
static size_t sequence_length(const unsigned char *s)
{
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
        /* A final zero byte ends this before the end of the text. */
        for (size_t j = 2; j < forms[i].length; j++)
            if (s[j] < 0x80 || s[j] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}

void cc_json_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    while (*s != '\0') {
        size_t n = sequence_length(s);

        if (n == 0) {
            fputs("\\ufffd", out);
            n = 1;
        } else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, n, out);
        s += n;
    }
    fputc('"', out);
}

void cc_json_number(FILE *out, double number)
{
    char text[32];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, out);
}

void cc_json_ratio(FILE *out, struct cc_ratio ratio)
{
    if (ratio.whole == 0)
        fputs("null", out);
    else
        cc_json_number(out, cc_percent(ratio));
}

void cc_json_bound(FILE *out, uint64_t bound)
{
    if (bound == LIFETIME_INF)
        fputs("\"inf\"", out);
    else
        fprintf(out, "%" PRIu64, bound);
}
