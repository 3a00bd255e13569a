/*
 * cc_json: the tokens of JSON that are not plain text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_json.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "utf8.h"

/* How many characters stand for themselves, whatever comes before them. */
static size_t plain_length(const unsigned char *s)
{
    size_t n = 0;

    while (s[n] >= 0x20 && s[n] < 0x7f && s[n] != '"' && s[n] != '\\')
        n++;
    return n;
}

void cc_json_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (;;) {
        size_t plain = plain_length(s), n;

        fwrite(s, 1, plain, out);
        s += plain;
        if (*s == '\0')
            break;
        n = utf8_length((const char *)s);
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
