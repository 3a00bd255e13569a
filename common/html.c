/*
 * html: any text within a page for a browser.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html.h"

#include "text.h"

static const char *escape(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    }
    return (unsigned char)c < 0x20 || c == 0x7f ? "\xef\xbf\xbd" : NULL;
}

void html_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t n = utf8_length(text);
        const char *instead = n == 0 ? "\xef\xbf\xbd" : escape(*text);

        if (instead != NULL)
            fputs(instead, out);
        else
            fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
}
