/*
 * utf8: which bytes of a text are UTF-8.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "utf8.h"

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
        /* A final zero byte ends this before the end of the text. */
        for (size_t j = 2; j < forms[i].length; j++)
            if (s[j] < 0x80 || s[j] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}
