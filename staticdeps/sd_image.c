/*
 * sd_image: an ELF file -> its code, its symbols, its identity.  The one door
 * to libelf.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

#define NO_SECTION SIZE_MAX

/* The file while it is read. */
struct reader {
    int fd;
    Elf *elf;
    GElf_Ehdr header;
    uint64_t size;
    uint64_t code_size; /* of all sections so far */
    size_t n_headers;   /* of sections */
    size_t *section_of; /* by section header: place in image->sections */
};

/* Does [offset, offset + size) lie in the file? */
static bool lies_inside(const struct reader *r, uint64_t offset, uint64_t size)
{
    uint64_t end;

    return !__builtin_add_overflow(offset, size, &end) && end <= r->size;
}

static int open_file(struct reader *r, const char *path, struct diag *d)
{
    struct stat st;

    /* A FIFO would keep us waiting for its writer. */
    r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (r->fd < 0 || fstat(r->fd, &st) != 0)
        return diag_set(d, "%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return diag_set(d, "%s: %s", path, strerror(EISDIR));
    if (!S_ISREG(st.st_mode))
        return diag_set(d, "%s: not a regular file", path);
    r->size = (uint64_t)st.st_size;
    elf_version(EV_CURRENT);
    r->elf = elf_begin(r->fd, ELF_C_READ, NULL);
    if (r->elf == NULL || elf_kind(r->elf) != ELF_K_ELF)
        return diag_set(d, "%s: not an ELF file", path);
    return 0;
}

static int check_header(struct reader *r, struct sd_image *image,
                        struct diag *d)
{
    uint64_t bytes;

    if (gelf_getehdr(r->elf, &r->header) == NULL)
        return diag_set(d, "%s: damaged ELF header", image->path);
    switch (r->header.e_machine) {
    case EM_X86_64:
        image->arch = SD_X86_64;
        break;
    case EM_AARCH64:
        image->arch = SD_AARCH64;
        break;
    default:
        return diag_set(d, "%s: machine number %u is not supported",
                        image->path, r->header.e_machine);
    }
    if (gelf_getclass(r->elf) != ELFCLASS64)
        return diag_set(d, "%s: not a 64-bit ELF file", image->path);
    if (r->header.e_type != ET_EXEC && r->header.e_type != ET_DYN)
        return diag_set(d, "%s: not an executable or shared library",
                        image->path);
    if (r->header.e_shoff != 0 &&
        (__builtin_mul_overflow((uint64_t)r->header.e_shnum,
                                (uint64_t)r->header.e_shentsize, &bytes) ||
         !lies_inside(r, r->header.e_shoff, bytes)))
        return diag_set(d,
                        "%s: truncated: its section headers lie beyond its end",
                        image->path);
    if (elf_getshdrnum(r->elf, &r->n_headers) != 0)
        return diag_set(d, "%s: damaged section headers", image->path);
    return 0;
}

static int add_section(struct sd_image *image, struct reader *r,
                       const char *name, uint64_t address, uint64_t offset,
                       uint64_t size, struct diag *d)
{
    struct sd_section s = {.address = address, .size = size};
    uint64_t end;
    ssize_t n;

    if (!lies_inside(r, offset, size))
        return diag_set(d, "%s: truncated: %s lies beyond its end", image->path,
                        name);
    if (__builtin_add_overflow(address, size, &end))
        return diag_set(d, "%s: the address of %s is absurd", image->path,
                        name);
    /* Or a small file would take any amount of memory. */
    r->code_size += size;
    if (r->code_size > r->size)
        return diag_set(d, "%s: its sections overlap", image->path);
    s.bytes = memory_new(size, 1);
    for (size_t done = 0; done < size; done += (size_t)n) {
        n = pread(r->fd, s.bytes + done, size - done, (off_t)(offset + done));
        if (n > 0)
            continue;
        free(s.bytes);
        return diag_set(d, "%s: %s", image->path,
                        n < 0 ? strerror(errno) : "it became shorter");
    }
    s.name = memory_text(name);
    image->sections = memory_grow(image->sections, &image->sections_room,
                                  image->n_sections, sizeof *image->sections);
    image->sections[image->n_sections++] = s;
    return 0;
}

static int read_sections(struct sd_image *image, struct reader *r,
                         struct diag *d)
{
    size_t names = 0;

    if (r->n_headers > 0 && elf_getshdrstrndx(r->elf, &names) != 0)
        return diag_set(d, "%s: damaged section headers", image->path);
    r->section_of = memory_new(r->n_headers, sizeof *r->section_of);
    for (size_t i = 0; i < r->n_headers; i++) {
        Elf_Scn *scn = elf_getscn(r->elf, i);
        const char *name;
        GElf_Shdr h;

        r->section_of[i] = NO_SECTION;
        if (scn == NULL || gelf_getshdr(scn, &h) == NULL)
            return diag_set(d, "%s: damaged section headers", image->path);
        if (h.sh_type != SHT_PROGBITS || !(h.sh_flags & SHF_EXECINSTR) ||
            h.sh_size == 0)
            continue;
        name = elf_strptr(r->elf, names, h.sh_name);
        r->section_of[i] = image->n_sections;
        if (add_section(image, r, name != NULL ? name : "a section", h.sh_addr,
                        h.sh_offset, h.sh_size, d) != 0)
            return -1;
    }
    return 0;
}

/* For a file without section headers: the segments that are executable. */
static int read_segments(struct sd_image *image, struct reader *r,
                         struct diag *d)
{
    size_t n;

    if (elf_getphdrnum(r->elf, &n) != 0)
        return diag_set(d, "%s: damaged program headers", image->path);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr h;

        if (gelf_getphdr(r->elf, (int)i, &h) == NULL)
            return diag_set(
                d, "%s: truncated: its program headers lie beyond its end",
                image->path);
        if (h.p_type != PT_LOAD || !(h.p_flags & PF_X) || h.p_filesz == 0)
            continue;
        if (add_section(image, r, "a segment", h.p_vaddr, h.p_offset,
                        h.p_filesz, d) != 0)
            return -1;
    }
    return 0;
}

/* A global name is shown rather than a weak one, and that rather than a local
   one; a function rather than a label. */
static int rank(const GElf_Sym *sym, bool is_function)
{
    int binding = GELF_ST_BIND(sym->st_info);

    return (is_function ? 0 : 3) + (binding == STB_GLOBAL ? 0
                                    : binding == STB_WEAK ? 1
                                                          : 2);
}

static void add_symbol(struct sd_image *image, const struct reader *r,
                       const GElf_Sym *sym, const char *name)
{
    int type = GELF_ST_TYPE(sym->st_info);
    bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
    const struct sd_section *s;
    size_t section;

    if (name == NULL || name[0] == '\0' || type == STT_SECTION ||
        type == STT_FILE || type == STT_TLS || sym->st_shndx >= r->n_headers)
        return;
    section = r->section_of[sym->st_shndx];
    if (section == NO_SECTION)
        return;
    s = &image->sections[section];
    if (sym->st_value < s->address || sym->st_value - s->address > s->size)
        return;
    image->symbols = memory_grow(image->symbols, &image->symbols_room,
                                 image->n_symbols, sizeof *image->symbols);
    image->symbols[image->n_symbols++] = (struct sd_symbol){
        memory_text(name), sym->st_value, sym->st_size,
        section,           is_function,   rank(sym, is_function)};
}

static int read_symbols(struct sd_image *image, const struct reader *r,
                        struct diag *d)
{
    for (size_t i = 0; i < r->n_headers; i++) {
        Elf_Scn *scn = elf_getscn(r->elf, i);
        Elf_Data *data;
        GElf_Shdr h;
        GElf_Sym sym;

        if (scn == NULL || gelf_getshdr(scn, &h) == NULL ||
            (h.sh_type != SHT_SYMTAB && h.sh_type != SHT_DYNSYM))
            continue;
        data = elf_getdata(scn, NULL);
        if (data == NULL || !lies_inside(r, h.sh_offset, h.sh_size))
            return diag_set(d, "%s: damaged symbol table", image->path);
        for (int k = 0; gelf_getsym(data, k, &sym) != NULL; k++)
            add_symbol(image, r, &sym,
                       elf_strptr(r->elf, h.sh_link, sym.st_name));
    }
    return 0;
}

/* Looks for the build-id in notes; true if it is there. */
static bool find_build_id(struct sd_image *image, Elf_Data *notes)
{
    size_t at = 0, next, name, desc;
    GElf_Nhdr h;

    while (notes != NULL &&
           (next = gelf_getnote(notes, at, &h, &name, &desc)) > 0) {
        if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
            memcmp((const char *)notes->d_buf + name, "GNU", 4) == 0 &&
            h.n_descsz > 0 && 2 * h.n_descsz < OBJID_SIZE) {
            objid_format(image->build_id,
                         (const unsigned char *)notes->d_buf + desc,
                         h.n_descsz);
            return true;
        }
        at = next;
    }
    return false;
}

static int read_identity(struct sd_image *image, const struct reader *r,
                         struct diag *d)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_headers; i++) {
        Elf_Scn *scn = elf_getscn(r->elf, i);
        GElf_Shdr h;

        if (scn != NULL && gelf_getshdr(scn, &h) != NULL &&
            h.sh_type == SHT_NOTE &&
            find_build_id(image, elf_getdata(scn, NULL)))
            return 0;
    }
    if (elf_getphdrnum(r->elf, &n) != 0)
        n = 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr h;

        if (gelf_getphdr(r->elf, (int)i, &h) != NULL && h.p_type == PT_NOTE &&
            lies_inside(r, h.p_offset, h.p_filesz) &&
            find_build_id(image,
                          elf_getdata_rawchunk(
                              r->elf, (int64_t)h.p_offset, h.p_filesz,
                              h.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR)))
            return 0;
    }
    return objid_hash_file(image->build_id, image->path, d);
}

static int compare_symbols(const void *x, const void *y)
{
    const struct sd_symbol *a = x, *b = y;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int read_all(struct sd_image *image, struct reader *r, struct diag *d)
{
    if (open_file(r, image->path, d) != 0 || check_header(r, image, d) != 0 ||
        read_sections(image, r, d) != 0)
        return -1;
    if (r->header.e_shoff == 0 && read_segments(image, r, d) != 0)
        return -1;
    if (image->n_sections == 0)
        return diag_set(d, "%s: no executable sections", image->path);
    if (read_symbols(image, r, d) != 0 || read_identity(image, r, d) != 0)
        return -1;
    if (image->n_symbols > 1)
        qsort(image->symbols, image->n_symbols, sizeof *image->symbols,
              compare_symbols);
    return 0;
}

int sd_image_open(struct sd_image *image, const char *path, struct diag *d)
{
    struct reader r = {.fd = -1};
    int rc;

    *image = (struct sd_image){.path = memory_text(path)};
    rc = read_all(image, &r, d);
    elf_end(r.elf);
    if (r.fd >= 0)
        close(r.fd);
    free(r.section_of);
    if (rc != 0)
        sd_image_close(image);
    return rc;
}

void sd_image_close(struct sd_image *image)
{
    for (size_t i = 0; i < image->n_sections; i++) {
        free(image->sections[i].name);
        free(image->sections[i].bytes);
    }
    for (size_t i = 0; i < image->n_symbols; i++)
        free(image->symbols[i].name);
    free(image->sections);
    free(image->symbols);
    free(image->path);
    *image = (struct sd_image){0};
}
