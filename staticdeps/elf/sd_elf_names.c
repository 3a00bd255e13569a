/*
 * sd_elf_names: finds the symbols of a stripped file in separate debug
 * information.
 *
 * They may be in the file itself, compressed (.gnu_debugdata), or in another
 * file, which is found by the build-id under DEBUG-DIRECTORY/.build-id, or by
 * the name in .gnu_debuglink: beside the file, in .debug there, or under the
 * debug directory.  (GDB manual, 18.3 "Debugging Information in Separate
 * Files", 18.4 "Debugging information in a special section".)  Debug
 * information that is damaged or of another file is ignored.  This is the only
 * file that uses liblzma.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "file.h"

/* The largest decompressed .gnu_debugdata: 2 bytes per byte of the file, plus 4
   MiB.  In real files it is smaller than the file, because it has only names of
   functions; but a few hostile kilobytes may decompress to any size. */
#define DEBUGDATA_PER_BYTE 2
#define DEBUGDATA_FREE     ((size_t)1 << 22)

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

/* Decompresses n bytes of the xz format; the caller frees.  NULL if they are
   damaged, or if the result would exceed `most` bytes; only then *size exceeds
   it. */
static uint8_t *decompress_all(const uint8_t *bytes, size_t n, size_t most,
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

static bool has_symbols(const struct sd_elf *elf)
{
    GElf_Shdr h;

    for (size_t i = 1; sd_elf_section(elf, SHT_SYMTAB, &i, &h); i++)
        if (h.sh_size > 0)
            return true;
    return false;
}

static void read_debugdata(const struct sd_elf *elf, struct sd_image *image)
{
    struct sd_elf inner;
    uint8_t *bytes;
    size_t i, size, most;
    Elf_Data *data;
    struct diag d;
    GElf_Shdr h;

    if (!sd_elf_find(elf, ".gnu_debugdata", &i, &h) ||
        (data = sd_elf_data(elf, i, true)) == NULL)
        return;
    most = DEBUGDATA_PER_BYTE * elf->size + DEBUGDATA_FREE;
    bytes = decompress_all(data->d_buf, data->d_size, most, &size);
    if (bytes == NULL) {
        image->has_large_debugdata = size > most;
        return;
    }
    if (sd_elf_open_memory(&inner, elf->path, bytes, size, &d) == 0) {
        sd_elf_symbols(&inner, image, true, &d);
        sd_elf_close(&inner);
    }
    free(bytes);
}

static bool has_checksum(const struct sd_elf *elf, uint32_t checksum)
{
    uint8_t bytes[16384];
    uint32_t sum = 0;
    struct diag d;

    for (uint64_t at = 0, n; at < elf->size; at += n) {
        n = elf->size - at < sizeof bytes ? elf->size - at : sizeof bytes;
        if (file_read(elf->fd, elf->path, at, bytes, n, &d) != 0)
            return false;
        sum = lzma_crc32(bytes, n, sum);
    }
    return sum == checksum;
}

/* Adds the symbols of a debug file, if it belongs to this one: the build-ids
   are equal, or, if one is missing, the checksum of the link is right. */
static bool read_debug_file(const struct sd_elf *elf, struct sd_image *image,
                            const char *path, bool is_by_checksum,
                            uint32_t checksum)
{
    char ours[OBJID_SIZE], theirs[OBJID_SIZE];
    struct sd_elf debug;
    struct diag d;
    bool is_it;

    if (sd_elf_open(&debug, path, &d) != 0)
        return false;
    if (sd_elf_build_id(elf, ours) && sd_elf_build_id(&debug, theirs))
        is_it = strcmp(ours, theirs) == 0;
    else
        is_it = is_by_checksum && has_checksum(&debug, checksum);
    if (is_it)
        is_it = debug.arch == elf->arch && has_symbols(&debug) &&
                sd_elf_symbols(&debug, image, true, &d) == 0;
    sd_elf_close(&debug);
    return is_it;
}

static bool read_by_build_id(const struct sd_elf *elf, struct sd_image *image,
                             const char *debug_directory)
{
    char id[OBJID_SIZE], *path;
    bool is_read;

    if (!sd_elf_build_id(elf, id) || strlen(id) < 3)
        return false;
    path = memory_printf("%s/.build-id/%.2s/%s.debug", debug_directory, id,
                         id + 2);
    is_read = read_debug_file(elf, image, path, false, 0);
    free(path);
    return is_read;
}

/* Reads the name and the checksum in .gnu_debuglink; NULL if it is not there.
 */
static const char *debug_link(const struct sd_elf *elf, uint32_t *checksum)
{
    const char *name;
    Elf_Data *data;
    size_t i, end;
    GElf_Shdr h;

    if (!sd_elf_find(elf, ".gnu_debuglink", &i, &h) ||
        (data = sd_elf_data(elf, i, true)) == NULL)
        return NULL;
    name = data->d_buf;
    end = (strnlen(name, data->d_size) + 4) & ~(size_t)3;
    if (end + sizeof *checksum > data->d_size || name[0] == '\0' ||
        strchr(name, '/') != NULL)
        return NULL;
    memcpy(checksum, name + end, sizeof *checksum);
    return name;
}

static void read_by_link(const struct sd_elf *elf, struct sd_image *image,
                         const char *debug_directory)
{
    char *real = realpath(elf->path, NULL), *paths[3];
    uint32_t checksum = 0;
    const char *name = debug_link(elf, &checksum);
    bool is_read = false;

    if (name == NULL || real == NULL) {
        free(real);
        return;
    }
    *strrchr(real, '/') = '\0';
    paths[0] = memory_printf("%s/%s", real, name);
    paths[1] = memory_printf("%s/.debug/%s", real, name);
    paths[2] = memory_printf("%s%s/%s", debug_directory, real, name);
    for (size_t i = 0; i < 3; i++) {
        if (!is_read)
            is_read = read_debug_file(elf, image, paths[i], true, checksum);
        free(paths[i]);
    }
    free(real);
}

void sd_elf_names(const struct sd_elf *elf, struct sd_image *image,
                  const char *debug_directory)
{
    if (elf->is_relocatable || has_symbols(elf))
        return;
    read_debugdata(elf, image);
    if (elf->fd >= 0 && !read_by_build_id(elf, image, debug_directory))
        read_by_link(elf, image, debug_directory);
}
