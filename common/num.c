/*
 * num: strict numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "num.h"

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A' + 10);
    return 99;
}

static size_t length(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0')
        n++;
    return n;
}

static bool parse_digits(const char *text, size_t n, unsigned base,
                         uint64_t *value)
{
    uint64_t v = 0;

    if (n == 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = digit_value(text[i]);

        if (digit >= base || __builtin_mul_overflow(v, base, &v) ||
            __builtin_add_overflow(v, digit, &v))
            return false;
    }
    *value = v;
    return true;
}

bool num_parse_span(const char *text, size_t n, uint64_t *value)
{
    if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return parse_digits(text + 2, n - 2, 16, value);
    return parse_digits(text, n, 10, value);
}

bool num_parse(const char *text, uint64_t *value)
{
    return num_parse_span(text, length(text), value);
}

bool num_parse_percent(const char *text, double *value)
{
    size_t n = length(text), whole_digits = 0;
    uint64_t whole, part = 0, scale = 1;

    if (n > 0 && text[n - 1] == '%')
        n--;
    while (whole_digits < n && text[whole_digits] != '.')
        whole_digits++;
    if (!parse_digits(text, whole_digits, 10, &whole) || whole > 100)
        return false;
    if (whole_digits < n) {
        size_t digits = n - whole_digits - 1;

        if (digits > 9 ||
            !parse_digits(text + whole_digits + 1, digits, 10, &part))
            return false;
        while (digits-- > 0)
            scale *= 10;
    }
    if (whole == 100 && part > 0)
        return false;
    /* Divided once, so that the nearest double results, as a literal has. */
    *value = (double)(whole * scale + part) / (double)scale;
    return true;
}
