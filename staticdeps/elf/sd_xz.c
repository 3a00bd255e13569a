/*
 * sd_xz: decompresses the xz format.  The only file that uses liblzma.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_xz.h"

#include <lzma.h>
#include <stdlib.h>

#include "memory.h"

#define MEMORY_MAX (UINT64_C(1) << 27) /* for the decoder's dictionary */

static int decompress(lzma_stream *stream, uint8_t **out, size_t *room,
                      size_t most)
{
    lzma_ret rc = LZMA_OK;

    while (rc == LZMA_OK && stream->total_out <= most) {
        *out = memory_grow(*out, room, stream->total_out + 65536, 1);
        stream->next_out = *out + stream->total_out;
        stream->avail_out = *room - stream->total_out;
        rc = lzma_code(stream, LZMA_FINISH);
    }
    if (rc == LZMA_MEM_ERROR)
        memory_exhausted();
    return rc == LZMA_STREAM_END && stream->total_out <= most ? 0 : -1;
}

uint8_t *sd_xz_decompress(const uint8_t *bytes, size_t n, size_t most,
                          size_t *size)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    uint8_t *out = NULL;
    size_t room = 0;
    int rc;

    if (lzma_stream_decoder(&stream, MEMORY_MAX, 0) != LZMA_OK)
        memory_exhausted();
    stream.next_in = bytes;
    stream.avail_in = n;
    rc = decompress(&stream, &out, &room, most);
    *size = stream.total_out;
    lzma_end(&stream);
    if (rc == 0)
        return out;
    free(out);
    return NULL;
}

uint32_t sd_xz_crc32(const uint8_t *bytes, size_t n, uint32_t sum)
{
    return lzma_crc32(bytes, n, sum);
}
