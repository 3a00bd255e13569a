/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

/* --- Numbers --- */

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
    /* Dividing once gives the nearest double, which a literal also has. */
    *value = (double)(whole * scale + part) / (double)scale;
    return true;
}

/* --- Text --- */

#define LONGEST 200 /* characters of a name that are compared */

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

size_t text_control_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    if (s[0] == '\0')
        return 0;
    if (s[0] < 0x20 || (s[0] >= 0x7f && s[0] <= 0x9f))
        return 1;
    return s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f ? 2 : 0;
}

size_t text_next(const char *text, bool *is_control)
{
    size_t n = text_control_length(text);

    *is_control = n > 0;
    if (n == 0)
        n = utf8_length(text);
    return n > 0 ? n : 1;
}

char *text_make_safe(char *text)
{
    char *from = text, *to = text;
    bool is_control;

    if (text == NULL)
        return NULL;
    while (*from != '\0') {
        size_t n = text_next(from, &is_control);

        for (size_t i = 0; i < (is_control ? 1 : n); i++)
            *to++ = is_control ? '?' : from[i];
        from += n;
    }
    *to = '\0';
    return text;
}

static size_t length_of(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0')
        n++;
    return n;
}

bool text_begins(const char *text, const char *with)
{
    while (*with != '\0' && *text == *with)
        text++, with++;
    return *with == '\0';
}

bool text_ends(const char *text, const char *with)
{
    size_t n = length_of(text), m = length_of(with);

    return n >= m && text_begins(text + n - m, with);
}

bool text_is_any(const char *text, const char *const *list)
{
    for (; *list != NULL; list++)
        if (text_begins(text, *list) && text[length_of(*list)] == '\0')
            return true;
    return false;
}

size_t text_begins_any(const char *text, const char *const *list)
{
    while (*list != NULL && !text_begins(text, *list))
        list++;
    return *list != NULL ? length_of(*list) : 0;
}

/* At each mismatch, the last `*` matches one more character; earlier ones never
   have to match more. */
bool text_matches(const char *text, const char *pattern)
{
    const char *after_star = NULL, *matched = NULL;

    while (*text != '\0' || *pattern != '\0') {
        if (*pattern == '*') {
            after_star = ++pattern;
            matched = text;
        } else if (*text != '\0' && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (after_star != NULL && *matched != '\0') {
            pattern = after_star;
            text = ++matched;
        } else {
            return false;
        }
    }
    return true;
}

const char *text_base_name(const char *path)
{
    const char *name = path;

    for (; *path != '\0'; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Levenshtein's algorithm: row i holds the distances between the first i
   characters of a and each beginning of b. */
unsigned text_distance(const char *a, const char *b)
{
    unsigned row[LONGEST + 1], n = 0;

    while (n < LONGEST && b[n] != '\0')
        n++;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 0; i < LONGEST && a[i] != '\0'; i++) {
        unsigned before = row[0]; /* distance of i and j - 1 characters */

        row[0] = i + 1;
        for (unsigned j = 1; j <= n; j++) {
            unsigned least = before + (lower(a[i]) != lower(b[j - 1]));

            before = row[j];
            least = row[j] + 1 < least ? row[j] + 1 : least;
            row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
        }
    }
    return row[n];
}
