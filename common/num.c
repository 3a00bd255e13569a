/*
 * num: strict numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "num.h"

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static size_t length(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0')
        n++;
    return n;
}

bool num_parse_span(const char *text, size_t n, uint64_t *value)
{
    unsigned base = 10;
    uint64_t v = 0;

    if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
        n -= 2;
    }
    if (n == 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)digit_value(text[i]);

        if (digit >= base || __builtin_mul_overflow(v, base, &v) ||
            __builtin_add_overflow(v, digit, &v))
            return false;
    }
    *value = v;
    return true;
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
    if (!num_parse_span(text, whole_digits, &whole) || whole > 100)
        return false;
    if (whole_digits < n) {
        size_t digits = n - whole_digits - 1;

        if (digits > 9 ||
            !num_parse_span(text + whole_digits + 1, digits, &part))
            return false;
        while (digits-- > 0)
            scale *= 10;
        if (part >= scale)
            return false; /* "1.0xff" spells a number, but not a fraction */
    }
    if (whole == 100 && part > 0)
        return false;
    *value = (double)whole + (double)part / (double)scale;
    return true;
}
