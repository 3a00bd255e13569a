/*
 * cc_pack: parts of the page that are unpacked when they are looked at.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_pack.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

#include "memory.h"

void cc_pack_open(struct cc_pack *pack)
{
    *pack = (struct cc_pack){0};
    pack->out = open_memstream(&pack->text, &pack->size);
    if (pack->out == NULL)
        memory_exhausted();
}

size_t cc_pack_bytes(struct cc_pack *pack)
{
    if (fflush(pack->out) != 0)
        memory_exhausted();
    return pack->size;
}

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

static void finish(struct cc_pack *pack)
{
    if (fclose(pack->out) != 0)
        memory_exhausted();
}

size_t cc_pack_close(struct cc_pack *pack, FILE *page, const char *id,
                     const char *attributes)
{
    unsigned char *packed;
    size_t n_written;
    uLongf n;

    finish(pack);
    n = compressBound((uLong)pack->size);
    packed = memory_new(n, 1);
    /* It fails for want of memory alone. */
    if (compress2(packed, &n, (const Bytef *)pack->text, (uLong)pack->size,
                  Z_BEST_COMPRESSION) != Z_OK)
        memory_exhausted();
    fprintf(page, "<script type=text/plain class=packed id=%s%s%s>", id,
            *attributes != '\0' ? " " : "", attributes);
    n_written = write_base64(page, packed, n);
    fputs("</script>\n", page);
    free(packed);
    free(pack->text);
    return n_written;
}

void cc_pack_close_plain(struct cc_pack *pack, FILE *page)
{
    finish(pack);
    fwrite(pack->text, 1, pack->size, page);
    free(pack->text);
}
