/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/sd_elf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <lzma.h>
#include <unistd.h>

bool sd_elf_holds(const struct sd_elf *elf, uint64_t offset, uint64_t size)
{
    uint64_t end;

    return !__builtin_add_overflow(offset, size, &end) && end <= elf->size;
}

static int check_machine(struct sd_elf *elf, struct diag *d)
{
    if (gelf_getclass(elf->elf) != ELFCLASS64)
        return diag_set(d,
                        "%s: a 32-bit ELF file; only x86-64 and AArch64 are "
                        "read",
                        elf->path);
    switch (elf->header.e_machine) {
    case EM_X86_64:
        elf->arch = ARCH_X86_64;
        break;
    case EM_AARCH64:
        elf->arch = ARCH_AARCH64;
        break;
    default:
        return diag_set(d,
                        "%s: of another architecture (machine number %u); only "
                        "x86-64 and AArch64 are read",
                        elf->path, elf->header.e_machine);
    }
    if (elf->header.e_ident[EI_DATA] != ELFDATA2LSB)
        return diag_set(d, "%s: not a little-endian ELF file", elf->path);
    return 0;
}

/* Does a file have the name of source code, which must be compiled first? */
static bool is_source(const char *path)
{
    static const char *const ends[] = {
        ".c",  ".cc", ".cpp", ".cxx", ".C", ".f90", ".f",   ".rs",
        ".go", ".d",  ".h",   ".hpp", ".m", ".zig", ".adb", NULL};
    const char *end = strrchr(path, '.');

    return end != NULL && text_is_any(end, ends);
}

static int check_header(struct sd_elf *elf, struct diag *d)
{
    uint64_t bytes;
    size_t names;

    if (elf->elf == NULL || elf_kind(elf->elf) != ELF_K_ELF)
        return diag_set(d, "%s: not an ELF file%s", elf->path,
                        is_source(elf->path)
                            ? "; compile it with -g, and give the program"
                            : "");
    if (gelf_getehdr(elf->elf, &elf->header) == NULL)
        return diag_set(d, "%s: damaged ELF header", elf->path);
    if (check_machine(elf, d) != 0)
        return -1;
    elf->is_relocatable = elf->header.e_type == ET_REL;
    if (elf->header.e_type != ET_EXEC && elf->header.e_type != ET_DYN &&
        !elf->is_relocatable)
        return diag_set(d, "%s: not an executable, library or object file",
                        elf->path);
    if (elf->header.e_shoff != 0 &&
        (__builtin_mul_overflow((uint64_t)elf->header.e_shnum,
                                (uint64_t)elf->header.e_shentsize, &bytes) ||
         !sd_elf_holds(elf, elf->header.e_shoff, bytes)))
        return diag_set(d,
                        "%s: truncated: its section headers lie beyond its end",
                        elf->path);
    if (elf_getshdrnum(elf->elf, &elf->n_headers) != 0 ||
        (elf->n_headers > 0 && elf_getshdrstrndx(elf->elf, &names) != 0))
        return diag_set(d, "%s: damaged section headers", elf->path);
    if (elf->n_headers > 0)
        elf->names = sd_elf_strings(elf, names);
    assert(elf->arch < N_ARCHES);
    return 0;
}

int sd_elf_open(struct sd_elf *elf, const char *path, struct diag *d)
{
    *elf = (struct sd_elf){.path = path};
    elf->fd = file_open(path, &elf->size, d);
    if (elf->fd < 0)
        return -1;
    elf_version(EV_CURRENT);
    elf->elf = elf_begin(elf->fd, ELF_C_READ, NULL);
    if (check_header(elf, d) == 0)
        return 0;
    sd_elf_close(elf);
    return -1;
}

int sd_elf_open_memory(struct sd_elf *elf, const char *path, uint8_t *bytes,
                       size_t size, struct diag *d)
{
    *elf = (struct sd_elf){.path = path, .fd = -1, .size = size};
    elf_version(EV_CURRENT);
    elf->elf = elf_memory((char *)bytes, size);
    if (check_header(elf, d) == 0)
        return 0;
    sd_elf_close(elf);
    return -1;
}

void sd_elf_close(struct sd_elf *elf)
{
    elf_end(elf->elf);
    if (elf->fd >= 0)
        close(elf->fd);
    *elf = (struct sd_elf){.fd = -1};
}

bool sd_elf_header(const struct sd_elf *elf, size_t i, GElf_Shdr *h)
{
    Elf_Scn *scn = elf_getscn(elf->elf, i);

    return scn != NULL && gelf_getshdr(scn, h) != NULL;
}

bool sd_elf_section(const struct sd_elf *elf, uint32_t type, size_t *i,
                    GElf_Shdr *h)
{
    for (; *i < elf->n_headers; ++*i)
        if (sd_elf_header(elf, *i, h) &&
            (type == SHT_NULL || h->sh_type == type))
            return true;
    return false;
}

bool sd_elf_segment(const struct sd_elf *elf, uint32_t type, size_t *i,
                    GElf_Phdr *h)
{
    size_t n;

    if (elf_getphdrnum(elf->elf, &n) != 0)
        return false;
    for (; *i < n; ++*i)
        if (gelf_getphdr(elf->elf, (int)*i, h) != NULL &&
            (type == PT_NULL || h->p_type == type))
            return true;
    return false;
}

const char *sd_elf_name(const struct sd_elf *elf, const GElf_Shdr *h)
{
    return sd_strings_at(&elf->names, h->sh_name);
}

bool sd_elf_find(const struct sd_elf *elf, const char *name, size_t *i,
                 GElf_Shdr *h)
{
    for (*i = 1; sd_elf_section(elf, SHT_NULL, i, h); ++*i) {
        const char *its = sd_elf_name(elf, h);

        if (h->sh_type != SHT_NOBITS && h->sh_size > 0 && its != NULL &&
            strcmp(its, name) == 0)
            return true;
    }
    return false;
}

Elf_Data *sd_elf_data(const struct sd_elf *elf, size_t i, bool raw)
{
    Elf_Scn *scn = elf_getscn(elf->elf, i);
    GElf_Shdr h;

    if (scn == NULL || gelf_getshdr(scn, &h) == NULL ||
        h.sh_type == SHT_NOBITS || !sd_elf_holds(elf, h.sh_offset, h.sh_size))
        return NULL;
    Elf_Data *data = raw ? elf_rawdata(scn, NULL) : elf_getdata(scn, NULL);
    return data != NULL && data->d_buf != NULL ? data : NULL;
}

Elf_Data *sd_elf_chunk(const struct sd_elf *elf, uint64_t offset, uint64_t size)
{
    Elf_Data *data = NULL;

    if (sd_elf_holds(elf, offset, size))
        data =
            elf_getdata_rawchunk(elf->elf, (int64_t)offset, size, ELF_T_BYTE);
    return data != NULL && data->d_buf != NULL ? data : NULL;
}

struct sd_strings sd_elf_strings(const struct sd_elf *elf, size_t i)
{
    Elf_Data *data;
    GElf_Shdr h;

    if (!sd_elf_header(elf, i, &h) || h.sh_type != SHT_STRTAB ||
        (h.sh_flags & SHF_COMPRESSED) ||
        (data = sd_elf_data(elf, i, true)) == NULL)
        return (struct sd_strings){NULL, 0};
    const char *last = memrchr(data->d_buf, 0, data->d_size);
    return (struct sd_strings){
        data->d_buf,
        last != NULL ? (size_t)(last - (const char *)data->d_buf) + 1 : 0};
}

const char *sd_strings_at(const struct sd_strings *strings, uint64_t offset)
{
    assert(strings->size == 0 || strings->bytes[strings->size - 1] == '\0');
    return offset < strings->size ? strings->bytes + offset : NULL;
}

Elf_Data *sd_elf_indices(const struct sd_elf *elf, size_t table)
{
    GElf_Shdr h;

    for (size_t i = 1; sd_elf_section(elf, SHT_SYMTAB_SHNDX, &i, &h); i++)
        if (h.sh_link == table)
            return sd_elf_data(elf, i, false);
    return NULL;
}

bool sd_elf_build_id(const struct sd_elf *elf, char id[OBJID_SIZE])
{
    const void *bits;
    ssize_t n = dwelf_elf_gnu_build_id(elf->elf, &bits);

    if (n <= 0 || 2 * n >= OBJID_SIZE)
        return false;
    objid_format(id, bits, (size_t)n);
    assert(strlen(id) == 2 * (size_t)n);
    return true;
}

/* --- Separate debug information --- */

/* The largest decompressed .gnu_debugdata: 2 bytes per byte of the file, plus 4
   MiB.  In real files it is smaller than the file, because it has only names of
   functions; but a few hostile kilobytes may decompress to any size. */
#define DEBUGDATA_PER_BYTE 2
#define DEBUGDATA_FREE     ((size_t)1 << 22)

#define MEMORY_MAX (UINT64_C(1) << 27) /* the most bytes for decompressing */

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

/* Decompresses n bytes of the xz format; the caller frees.  NULL if the bytes
   are damaged, or if the result would exceed `most` bytes; only in the second
   case, *size exceeds `most`. */
static uint8_t *decompress_all(const uint8_t *bytes, size_t n, size_t most,
                               size_t *size)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    uint8_t *out = NULL;
    size_t room = 0;

    if (lzma_stream_decoder(&stream, MEMORY_MAX, 0) != LZMA_OK)
        memory_exhausted();
    stream.next_in = bytes;
    stream.avail_in = n;
    int rc = decompress(&stream, &out, &room, most);
    *size = stream.total_out;
    lzma_end(&stream);
    assert(rc != 0 || *size <= most);
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
    size_t i, size;
    Elf_Data *data;
    struct diag d;
    GElf_Shdr h;

    if (!sd_elf_find(elf, ".gnu_debugdata", &i, &h) ||
        (data = sd_elf_data(elf, i, true)) == NULL)
        return;
    size_t most = DEBUGDATA_PER_BYTE * elf->size + DEBUGDATA_FREE;
    AUTO_FREE uint8_t *bytes =
        decompress_all(data->d_buf, data->d_size, most, &size);
    if (bytes == NULL) {
        image->has_large_debugdata = size > most;
        return;
    }
    if (sd_elf_open_memory(&inner, elf->path, bytes, size, &d) == 0) {
        sd_elf_symbols(&inner, image, true, &d);
        sd_elf_close(&inner);
    }
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

/* Adds the symbols of a debug file, if it belongs to `elf`: the build-ids are
   equal, or, if one is missing, the checksum of the link is right. */
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
    char id[OBJID_SIZE];

    if (!sd_elf_build_id(elf, id) || strlen(id) < 3)
        return false;
    AUTO_FREE char *path = memory_printf("%s/.build-id/%.2s/%s.debug",
                                         debug_directory, id, id + 2);
    return read_debug_file(elf, image, path, false, 0);
}

/* Reads name and checksum in .gnu_debuglink; NULL: there is no such section. */
static const char *debug_link(const struct sd_elf *elf, uint32_t *checksum)
{
    Elf_Data *data;
    size_t i;
    GElf_Shdr h;

    if (!sd_elf_find(elf, ".gnu_debuglink", &i, &h) ||
        (data = sd_elf_data(elf, i, true)) == NULL)
        return NULL;
    const char *name = data->d_buf;
    size_t end = (strnlen(name, data->d_size) + 4) & ~(size_t)3;
    assert(end > 0 && end <= data->d_size + 4);
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
    assert(real[0] == '/');
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
