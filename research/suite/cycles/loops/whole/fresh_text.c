/* Text, written after the rules were fixed: bytes that are read one after the
   other, and what they say. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

WHOLE(utf8_decoded)
{
    uint8_t *text = SLOT(0), *end = text;
    uint32_t *out = SLOT(1), sum = 0;

    for (int i = 0; i < 300; i++) {
        int x = FRESH(i);

        if (x < 170) {
            *end++ = (uint8_t)(x & 127);
        } else if (x < 230) {
            *end++ = (uint8_t)(0xc3 + (x & 7));
            *end++ = (uint8_t)(0x80 | (x & 63));
        } else {
            *end++ = (uint8_t)(0xe2 + (x & 7));
            *end++ = (uint8_t)(0x80 | (x & 31));
            *end++ = (uint8_t)(0xbf - (x & 15));
        }
    }
    for (const uint8_t *at = text; at < end;) {
        uint32_t c = *at++;

        if (c >= 0xe0) {
            c = (c & 15) << 12 | (uint32_t)(at[0] & 63) << 6 | (at[1] & 63);
            at += 2;
        } else if (c >= 0x80) {
            c = (c & 31) << 6 | (*at++ & 63);
        }
        *out++ = c;
        sum += c;
    }
    USE(sum);
}

/* Words, numbers and signs of a programming language, by a table of kinds. */
WHOLE(tokens_counted)
{
    static const char *const parts[8] = {"while ",   "(x1 ",    "<= 307) ",
                                         "y = x + ", "17;\n",   "a_b ",
                                         "}}\n",     "/ 3.5e2 "};
    static const uint8_t kinds[128] = {
        [' '] = 1,         ['\n'] = 1,        ['_'] = 2,
        ['a' ... 'z'] = 2, ['0' ... '9'] = 3, ['.'] = 3};
    char *text = SLOT(0), *end = text;
    int counts[4] = {0}, line = 1;

    for (int i = 0; i < 64; i++)
        for (const char *c = parts[EIGHTH(i)]; *c != 0; c++)
            *end++ = *c;
    *end = 0;
    for (const char *at = text; *at != 0;) {
        int kind = kinds[*at & 127];

        counts[kind]++;
        if (kind == 0) {
            at += at[1] == '=' ? 2 : 1;
        } else if (kind == 1) {
            line += *at++ == '\n';
        } else {
            while (kinds[*at & 127] >= kind)
                at++;
        }
    }
    USE(counts[0] + 3 * counts[2] + 5 * counts[3] + line);
}

/* A word of four letters, by the table of Horspool. */
WHOLE(word_found)
{
    static const char word[] = "baca";
    uint8_t *text = SLOT(0), skips[256];
    int found = 0;

    for (int i = 0; i < 800; i++)
        text[i] = (uint8_t)('a' + (FRESH(i) & 7) % 5);
    for (int i = 0; i < 256; i++)
        skips[i] = 4;
    for (int i = 0; i < 3; i++)
        skips[(uint8_t)word[i]] = (uint8_t)(3 - i);
    for (int at = 0; at + 4 <= 800; at += skips[text[at + 3]]) {
        int i = 3;

        while (i >= 0 && text[at + i] == word[i])
            i--;
        found += i < 0;
    }
    USE(found);
}

/* Names of which upper and lower case are the same. */
static inline int lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

CALLEE int compare_names(const char *a, const char *b)
{
    while (*a != 0 && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) - lower(*b);
}

WHOLE(names_without_case)
{
    static const char names[8][16] = {
        "Content-Length", "content-type", "Accept",     "Cache-Control",
        "CONTENT-RANGE",  "Host",         "Connection", "content-location"};
    static const char others[4][16] = {"content-length", "CONNECTION", "Host",
                                       "Content-Language"};
    int sum = 0;

    for (int i = 0; i < 96; i++)
        sum += compare_names(names[EIGHTH(i)], others[i / 8 & 3]) < 0;
    USE(sum);
}

WHOLE(integers_printed)
{
    char *out = SLOT(0);

    for (int i = 0; i < 100; i++) {
        int x = (FRESH(i) - 128) * (1 << (i & 15));
        unsigned rest = x < 0 ? -(unsigned)x : (unsigned)x;
        char digits[12];
        int n = 0;

        do
            digits[n++] = (char)('0' + rest % 10);
        while ((rest /= 10) != 0);
        if (x < 0)
            *out++ = '-';
        while (n > 0)
            *out++ = digits[--n];
        *out++ = ',';
    }
    *out = 0;
}

WHOLE(integers_parsed)
{
    char *text = SLOT(0), *end = text;
    long sum = 0;

    for (int i = 0; i < 160; i++) {
        int x = FRESH(i);

        if (x & 1)
            *end++ = '-';
        for (int digits = 1 + (x >> 1 & 3); digits > 0; digits--)
            *end++ = (char)('0' + (x >> digits & 7));
        *end++ = ' ';
    }
    for (const char *at = text; at < end; at++) {
        int negative = *at == '-';
        long x = 0;

        for (at += negative; *at >= '0' && *at <= '9'; at++)
            x = x * 10 + (*at - '0');
        sum += negative ? -x : x;
    }
    USE(sum);
}

WHOLE(bytes_to_base64)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr"
                                "stuvwxyz0123456789+/";
    const uint8_t *in = SLOT(1);
    char *out = SLOT(0);

    for (int i = 0; i < 1200; i += 3) {
        unsigned x =
            (unsigned)in[i] << 16 | (unsigned)in[i + 1] << 8 | in[i + 2];

        *out++ = signs[x >> 18];
        *out++ = signs[x >> 12 & 63];
        *out++ = signs[x >> 6 & 63];
        *out++ = signs[x & 63];
    }
    *out = 0;
}

/* The end of a value that nests, with strings that may hold brackets. */
CALLEE const char *skip_value(const char *at)
{
    int depth = 0;

    do {
        switch (*at++) {
        case '{':
        case '[':
            depth++;
            break;
        case '}':
        case ']':
            depth--;
            break;
        case '"':
            for (; *at != '"'; at++)
                at += *at == '\\';
            at++;
            break;
        }
    } while (depth > 0);
    return at;
}

WHOLE(values_skipped)
{
    static const char *const parts[8] = {
        "{\"id\": 17, \"name\": \"a [b] \\\" c\"}",
        "[1, 2, [3, 4], {}]",
        "\"text\"",
        "[[], [[\"x\"]], 5.25e3, null]",
        "{\"a\": {\"b\": {\"c\": []}}}",
        "[true]",
        "{\"long\": \"the quick brown fox jumps over\"}",
        "\"\\\\\""};
    long sum = 0;

    for (int i = 0; i < 48; i++) {
        const char *part = parts[EIGHTH(i)];

        sum += skip_value(part) - part;
    }
    USE(sum);
}

/* Words are moved to the next line where a line would get too long. */
WHOLE(lines_filled)
{
    char *text = SLOT(0);
    int column = 0, gap = -1;

    for (int i = 0; i < 900; i++)
        text[i] = FRESH(i) < 45 ? ' ' : 'x';
    for (int i = 0; i < 900; i++, column++) {
        if (text[i] == ' ')
            gap = i;
        if (column >= 40 && gap >= 0) {
            text[gap] = '\n';
            column = i - gap;
            gap = -1;
        }
    }
    USE(column);
}

/* Names of files, and patterns with stars and question marks. */
CALLEE int glob(const char *pattern, const char *text)
{
    const char *star = 0, *retry = 0;

    while (*text != 0)
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++, text++;
        } else if (star != 0) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return 0;
        }
    while (*pattern == '*')
        pattern++;
    return *pattern == 0;
}

WHOLE(files_by_patterns)
{
    static const char names[8][16] = {"main.c",     "main.h",  "a.out",
                                      "README.md",  "whole.c", "x86_64.cc",
                                      "test-12.sh", "c.c.c"};
    static const char patterns[5][16] = {"*.c", "?a*.[ch]", "*-??.sh", "*a*e*",
                                         "*"};
    int sum = 0;

    for (int i = 0; i < 80; i++)
        sum += glob(patterns[i / 8 % 5], names[EIGHTH(i)]);
    USE(sum);
}
