/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/sd_elf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

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

/* Is it source that must be compiled, by its name? */
static bool is_source(const char *path)
{
    static const char *const ends[] = {".c",   ".cc",  ".cpp", ".cxx", ".C",
                                       ".f90", ".f",   ".rs",  ".go",  ".d",
                                       ".h",   ".hpp", ".m",   ".zig", ".adb"};
    const char *end = strrchr(path, '.');

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (end != NULL && strcmp(end, ends[i]) == 0)
            return true;
    return false;
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
    Elf_Data *data;
    GElf_Shdr h;

    if (scn == NULL || gelf_getshdr(scn, &h) == NULL ||
        h.sh_type == SHT_NOBITS || !sd_elf_holds(elf, h.sh_offset, h.sh_size))
        return NULL;
    data = raw ? elf_rawdata(scn, NULL) : elf_getdata(scn, NULL);
    return data != NULL && data->d_buf != NULL ? data : NULL;
}

Elf_Data *sd_elf_chunk(const struct sd_elf *elf, uint64_t offset, uint64_t size,
                       Elf_Type type)
{
    Elf_Data *data = NULL;

    if (sd_elf_holds(elf, offset, size))
        data = elf_getdata_rawchunk(elf->elf, (int64_t)offset, size, type);
    return data != NULL && data->d_buf != NULL ? data : NULL;
}

struct sd_strings sd_elf_strings(const struct sd_elf *elf, size_t i)
{
    Elf_Data *data;
    const char *last;
    GElf_Shdr h;

    if (!sd_elf_header(elf, i, &h) || h.sh_type != SHT_STRTAB ||
        (h.sh_flags & SHF_COMPRESSED) ||
        (data = sd_elf_data(elf, i, true)) == NULL)
        return (struct sd_strings){NULL, 0};
    last = memrchr(data->d_buf, 0, data->d_size);
    return (struct sd_strings){
        data->d_buf,
        last != NULL ? (size_t)(last - (const char *)data->d_buf) + 1 : 0};
}

const char *sd_strings_at(const struct sd_strings *strings, uint64_t offset)
{
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
    return true;
}
