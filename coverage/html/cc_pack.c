/*
 * cc_pack: parts of the page that are unpacked when they are looked at.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_pack.h"

#include <stdlib.h>
#include <zlib.h>

/* RFC 4648's alphabet for names of files, in which nothing looks like a link.
 */
static size_t write_base64(FILE *page, const unsigned char *bytes, size_t n)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
        "uvwxyz0123456789-_";

    for (size_t i = 0; i < n; i += 3) {
        unsigned group = (unsigned)bytes[i] << 16;

        group |= i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= i + 2 < n ? bytes[i + 2] : 0;
        fputc(digits[group >> 18], page);
        fputc(digits[group >> 12 & 63], page);
        if (i + 1 < n)
            fputc(digits[group >> 6 & 63], page);
        if (i + 2 < n)
            fputc(digits[group & 63], page);
    }
    return (n + 2) / 3 * 4;
}

size_t cc_pack_close(struct memory_stream *html, FILE *page, const char *id,
                     const char *attributes)
{
    char *text = memory_stream_close(html);
    uLongf n = compressBound((uLong)html->size);
    unsigned char *packed = memory_new(n, 1);
    size_t n_written;

    /* It fails for want of memory alone. */
    if (compress2(packed, &n, (const Bytef *)text, (uLong)html->size,
                  Z_BEST_COMPRESSION) != Z_OK)
        memory_exhausted();
    fprintf(page, "<script type=text/plain class=packed id=%s%s%s>", id,
            *attributes != '\0' ? " " : "", attributes);
    n_written = write_base64(page, packed, n);
    fputs("</script>\n", page);
    free(packed);
    free(text);
    return n_written;
}
