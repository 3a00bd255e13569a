/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/sd_image.h"

#include "elf/sd_elf.h"

/* The bytes of symbols' names that sorting compares: many symbols may share one
   long name, so that without a limit a small file could take much time. */
#define SYMBOL_NAME 4096

/* Of two names of one rank, people know that with fewer underscores before it,
   and the shorter: malloc and free, which the C library also calls
   __libc_malloc and cfree. */
ARRAY_ORDER(compare_symbols, struct sd_symbol,
            array_order(a->address, b->address)
                ?: array_order(a->rank, b->rank)
                ?: array_order(strspn(a->name, "_"), strspn(b->name, "_"))
                ?: array_order(strnlen(a->name, SYMBOL_NAME),
                               strnlen(b->name, SYMBOL_NAME))
                ?: strncmp(a->name, b->name, SYMBOL_NAME)
                ?: array_order(a->number, b->number))

ARRAY_ORDER(compare_landings, struct sd_landing,
            array_order(a->start, b->start) ?: array_order(a->pad, b->pad))

/* Is the image sorted and within its sections, as other modules rely on? */
__attribute__((unused)) static bool is_consistent(const struct sd_image *image)
{
    for (size_t i = 0; i < image->n_sections; i++) {
        const struct sd_section *s = &image->sections[i];

        if (s->size == 0 || s->address + s->size < s->address)
            return false;
    }
    for (size_t i = 0; i < image->n_symbols; i++) {
        const struct sd_symbol *s = &image->symbols[i];
        const struct sd_section *section = &image->sections[s->section];

        if (s->section >= image->n_sections || s->name[0] == '\0' ||
            s->address - section->address > section->size ||
            (i > 0 && compare_symbols(s - 1, s) > 0))
            return false;
    }
    for (size_t i = 0; i < image->n_data; i++)
        if (image->data[i].start > image->data[i].end ||
            (i > 0 && image->data[i - 1].start > image->data[i].start))
            return false;
    return true;
}

static void sort_frames(struct sd_image *image)
{
    array_sort(image->landings, image->n_landings, compare_landings);
    array_sort(image->parts, image->n_parts, array_by_number);
}

void sd_image_join_frames(struct sd_image *image, const struct sd_image *more,
                          uint64_t base)
{
    for (size_t i = 0; i < more->n_landings; i++) {
        struct sd_landing l = more->landings[i];

        array_append(
            image, landings,
            (struct sd_landing){l.start + base, l.end + base, l.pad + base});
    }
    for (size_t i = 0; i < more->n_parts; i++)
        array_append(image, parts, more->parts[i] + base);
    sort_frames(image);
}

/* Assembly source often gives its functions neither type nor size.  A global
   name outside of functions with a size is taken for a function.  Symbols must
   be sorted. */
static void find_labelled_functions(struct sd_image *image)
{
    uint64_t reach = 0, end;

    for (size_t i = 0; i < image->n_symbols; i++) {
        struct sd_symbol *s = &image->symbols[i];

        if (s->is_global_label && s->address >= reach)
            s->is_function = true;
        if (s->is_function &&
            !__builtin_add_overflow(s->address, s->size, &end) && end > reach)
            reach = end;
    }
}

static void sort(struct sd_image *image)
{
    array_sort(image->data, image->n_data, array_by_number);
    array_sort(image->symbols, image->n_symbols, compare_symbols);
    find_labelled_functions(image);
    sort_frames(image);
    assert(is_consistent(image));
}

/* The bytes of a section's name that are kept: many sections may share one long
   name, so that without a limit a small file could take much memory. */
#define SECTION_NAME 64

/* The state of reading a file. */
struct reader {
    const struct sd_elf *elf;
    struct objrel_layout layout;
    uint64_t code_size; /* bytes in all sections up to now */
};

static int add_section(struct sd_image *image, struct reader *r,
                       struct sd_section s, const Elf_Data *data,
                       struct diag *d)
{
    const char *name = s.name != NULL ? s.name : "a section";
    uint64_t end;

    if (data == NULL || data->d_buf == NULL || data->d_size < s.size)
        return diag_set(d, "%s: truncated: %s lies beyond its end", image->path,
                        name);
    if (__builtin_add_overflow(s.address, s.size, &end))
        return diag_set(d, "%s: the address of %s is absurd", image->path,
                        name);
    /* Sections that overlap could make a small file take any amount of memory.
     */
    r->code_size += s.size;
    if (r->code_size > r->elf->size)
        return diag_set(d, "%s: its sections overlap", image->path);
    s.name = strndup(name, SECTION_NAME);
    if (s.name == NULL)
        memory_exhausted();
    s.bytes = memory_new(s.size, 1);
    memcpy(s.bytes, data->d_buf, s.size);
    array_append(image, sections, s);
    assert(s.size > 0 && r->code_size >= s.size);
    return 0;
}

static int read_sections(struct sd_image *image, struct reader *r,
                         struct diag *d)
{
    const struct sd_elf *elf = r->elf;

    for (size_t i = 0; i < elf->n_headers; i++) {
        struct sd_section s = {.header = i};
        GElf_Shdr h;

        if (!sd_elf_header(elf, i, &h))
            return diag_set(d, "%s: damaged section headers", image->path);
        if (h.sh_type != SHT_PROGBITS || !(h.sh_flags & SHF_EXECINSTR) ||
            h.sh_size == 0)
            continue;
        s.name = (char *)(uintptr_t)sd_elf_name(elf, &h);
        s.address = elf->is_relocatable ? r->layout.addresses[i] : h.sh_addr;
        s.size = h.sh_size;
        if (add_section(image, r, s, sd_elf_data(elf, i, true), d) != 0)
            return -1;
    }
    return 0;
}

/* Reads the executable segments of a file without section headers. */
static int read_segments(struct sd_image *image, struct reader *r,
                         struct diag *d)
{
    const struct sd_elf *elf = r->elf;
    static char name[] = "a segment";
    size_t n;

    if (elf_getphdrnum(elf->elf, &n) != 0)
        return diag_set(d, "%s: damaged program headers", image->path);
    for (size_t i = 0; i < n; i++) {
        struct sd_section s = {.name = name};
        GElf_Phdr h;

        if (gelf_getphdr(elf->elf, (int)i, &h) == NULL)
            return diag_set(
                d, "%s: truncated: its program headers lie beyond its end",
                image->path);
        if (h.p_type != PT_LOAD || !(h.p_flags & PF_X) || h.p_filesz == 0)
            continue;
        s.address = h.p_vaddr;
        s.size = h.p_filesz;
        Elf_Data *data = sd_elf_chunk(elf, h.p_offset, h.p_filesz);
        if (add_section(image, r, s, data, d) != 0)
            return -1;
    }
    return 0;
}

/* --- Object files --- */

/* In an object file, all sections are at address 0; objrel gives them
   addresses.  Each symbol that other files define gets an address of its own,
   far enough from the next for most arrays; so two symbols never overlap by
   accident.  This file relocates only code; sd_contents relocates data. */

/* Bytes for each symbol that other files define, and the most for all. */
#define SYMBOL_SPACE   UINT64_C(65536)
#define ALL_SPACE      UINT64_C(0x20000000)
#define LARGEST_COMMON (UINT64_C(1) << 28)
#define SLOT_SIZE      UINT64_C(8)

/* Longer names are left out: the table of libraries has no such functions. */
#define LONGEST_NAME 255

/* The state of relocating an object file. */
struct linker {
    const struct sd_elf *elf;
    const struct objrel_layout *layout;
    struct sd_image *image;
    size_t *section;      /* index in the image, by header; SIZE_MAX: none */
    size_t table;         /* the section header of the symbols */
    uint64_t *addresses;  /* addresses of symbols, by number in `table` */
    uint64_t *slots;      /* slots of symbols, by number; 0: none yet */
    size_t n, n_slots;    /* number of symbols, and of slots in use */
    uint64_t got;         /* the global offset table, which has the slots */
    uint64_t next, space; /* address and space of the next outside symbol */
    size_t names_room; /* the bytes of names that may still be kept: only files
                          with overlapping names need more than their size */
};

static uint64_t round_up(uint64_t n)
{
    return (n + 15) & ~UINT64_C(15);
}

/* Adds a symbol that other files define to image->outside. */
static void add_outside(struct linker *l, const char *name, uint64_t address)
{
    size_t length = name != NULL ? strnlen(name, LONGEST_NAME + 1) : 0;

    if (length == 0 || length > LONGEST_NAME || length > l->names_room)
        return;
    l->names_room -= length;
    char *copy = memory_text(name);
    array_append(l->image, texts, copy);
    array_append(l->image, outside, (struct sd_outside){copy, address});
}

/* The address of a symbol; `index` is the number of its section header. */
static uint64_t place(struct linker *l, const GElf_Sym *sym, uint32_t index,
                      const char *name)
{
    uint64_t address = l->next, size = 0;

    if (index == SHN_UNDEF && name != NULL &&
        strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0)
        return l->got;
    if (index != SHN_UNDEF && index != SHN_COMMON)
        return index < l->layout->n
                   ? l->layout->addresses[index] + sym->st_value
                   : sym->st_value; /* SHN_ABS */
    if (sym->st_shndx == SHN_COMMON)
        size = sym->st_size < LARGEST_COMMON ? sym->st_size : LARGEST_COMMON;
    l->next += size > l->space ? round_up(size) : l->space;
    return address;
}

static void place_symbols(struct linker *l, Elf_Data *data,
                          const struct sd_strings *names)
{
    Elf_Data *extended = sd_elf_indices(l->elf, l->table);
    Elf32_Word index = 0;
    GElf_Sym sym;

    l->n = data->d_size / sizeof(Elf64_Sym);
    l->addresses = memory_new(l->n, sizeof *l->addresses);
    l->slots = memory_new(l->n, sizeof *l->slots);
    l->got = (l->layout->free + 0xfff) & ~UINT64_C(0xfff);
    l->next = l->got + SLOT_SIZE * (l->n + 1);
    l->space = l->n > ALL_SPACE / SYMBOL_SPACE ? round_up(ALL_SPACE / l->n + 1)
                                               : SYMBOL_SPACE;
    for (size_t i = 1; i < l->n; i++) { /* number 0 is no symbol */

        if (gelf_getsymshndx(data, extended, (int)i, &sym, &index) == NULL)
            continue;
        if (sym.st_shndx != SHN_XINDEX)
            index = sym.st_shndx;
        const char *name = sd_strings_at(names, sym.st_name);
        l->addresses[i] = place(l, &sym, index, name);
        if (index == SHN_UNDEF)
            add_outside(l, name, l->addresses[i]);
    }
}

static void relocate(struct linker *l, struct sd_section *section,
                     Elf_Data *data)
{
    unsigned machine = l->elf->header.e_machine;
    GElf_Rela rela;

    for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
        uint64_t symbol = GELF_R_SYM(rela.r_info);
        struct objreloc r = {.type = (uint32_t)GELF_R_TYPE(rela.r_info),
                             .place = section->address + rela.r_offset,
                             .slot = l->got,
                             .got = l->got,
                             .addend = rela.r_addend};
        bool is_known = symbol < l->n && rela.r_offset < section->size;

        if (is_known) {
            r.symbol = l->addresses[symbol];
            /* Slots are numbered in the order of their use, because AArch64's
               instructions for small code reach only the first ones. */
            if (objreloc_needs_slot(machine, r.type)) {
                if (l->slots[symbol] == 0)
                    l->slots[symbol] = l->got + SLOT_SIZE * ++l->n_slots;
                assert(l->n_slots <= l->n);
                r.slot = l->slots[symbol];
            }
            is_known =
                objreloc_apply(machine, &r, section->bytes + rela.r_offset,
                               section->size - rela.r_offset);
        }
        l->image->n_unknown_relocations += !is_known;
    }
}

/* Reads the symbol table of an object file, which has only one. */
static int read_symbols(struct linker *l, struct diag *d)
{
    GElf_Shdr h;

    l->table = 1;
    if (!sd_elf_section(l->elf, SHT_SYMTAB, &l->table, &h))
        return 0;
    Elf_Data *data = sd_elf_data(l->elf, l->table, false);
    if (data == NULL && h.sh_size > 0)
        return diag_set(d, "%s: damaged symbol table", l->elf->path);
    struct sd_strings names = sd_elf_strings(l->elf, h.sh_link);
    if (data != NULL)
        place_symbols(l, data, &names);
    return 0;
}

static int relocate_all(struct linker *l, struct diag *d)
{
    const struct sd_elf *elf = l->elf;
    uint64_t size = 0;
    Elf_Data *data;
    GElf_Shdr h;

    if (read_symbols(l, d) != 0)
        return -1;
    for (size_t i = 1; sd_elf_section(elf, SHT_RELA, &i, &h); i++) {
        if (h.sh_info >= elf->n_headers || l->section[h.sh_info] == SIZE_MAX ||
            h.sh_size == 0)
            continue;
        data = sd_elf_data(elf, i, false);
        if (data == NULL || h.sh_link != l->table)
            return diag_set(d, "%s: damaged relocations", elf->path);
        size += h.sh_size;
        if (size > elf->size)
            return diag_set(d, "%s: its relocations overlap", elf->path);
        relocate(l, &l->image->sections[l->section[h.sh_info]], data);
    }
    return 0;
}

static int relocate_image(const struct reader *r, struct sd_image *image,
                          struct diag *d)
{
    const struct sd_elf *elf = r->elf;
    struct linker l = {.elf = elf,
                       .layout = &r->layout,
                       .image = image,
                       .section = memory_new(elf->n_headers, sizeof *l.section),
                       .names_room = elf->size};

    for (size_t i = 0; i < elf->n_headers; i++)
        l.section[i] = SIZE_MAX;
    for (size_t i = 0; i < image->n_sections; i++) {
        assert(image->sections[i].header < elf->n_headers);
        l.section[image->sections[i].header] = i;
    }
    int rc = relocate_all(&l, d);
    free(l.addresses);
    free(l.slots);
    free(l.section);
    return rc;
}

/* --- The image --- */

static int read_code(struct sd_image *image, struct reader *r, struct diag *d)
{
    const struct sd_elf *elf = r->elf;

    if (read_sections(image, r, d) != 0)
        return -1;
    if (elf->is_relocatable)
        return relocate_image(r, image, d);
    if (elf->header.e_shoff == 0 && read_segments(image, r, d) != 0)
        return -1;
    if (elf->header.e_entry != 0)
        array_append(image, starts, elf->header.e_entry);
    sd_elf_frames(elf, image);
    return 0;
}

static int read_image(struct sd_image *image, const struct sd_elf *elf,
                      struct diag *d)
{
    struct reader r = {.elf = elf};

    image->arch = elf->arch;
    if (elf->is_relocatable)
        objrel_layout_init(&r.layout, elf->elf, elf->size);
    int rc = read_code(image, &r, d);
    objrel_layout_fini(&r.layout);
    return rc != 0 ? -1 : sd_elf_symbols(elf, image, false, d);
}

static int read_file(struct sd_image *image, const struct sd_elf *elf,
                     const char *debug_directory, struct diag *d)
{
    if (read_image(image, elf, d) != 0)
        return -1;
    if (image->n_sections == 0)
        return diag_set(d, "%s: no executable sections", image->path);
    assert(image->n_frames <= image->n_starts);
    sd_elf_names(elf, image, debug_directory);
    sd_elf_plt(elf, image);
    sort(image);
    if (sd_elf_build_id(elf, image->build_id))
        return 0;
    return objid_hash_file(image->build_id, image->path, d);
}

int sd_image_open(struct sd_image *image, const char *path,
                  const char *debug_directory, struct diag *d)
{
    struct sd_elf elf;

    *image = (struct sd_image){.path = memory_text(path)};
    int rc = sd_elf_open(&elf, path, d);
    if (rc == 0) {
        rc = read_file(image, &elf, debug_directory, d);
        sd_elf_close(&elf);
    }
    if (rc != 0)
        sd_image_close(image);
    return rc;
}

int sd_elf_member(struct sd_image *image, const char *path, uint8_t *bytes,
                  size_t size, struct diag *d)
{
    struct sd_elf elf;

    *image = (struct sd_image){.path = memory_text(path)};
    objid_hash_bytes(image->build_id, bytes, size);
    int rc = sd_elf_open_memory(&elf, path, bytes, size, d);
    if (rc == 0) {
        rc = read_image(image, &elf, d);
        sort(image);
        sd_elf_build_id(&elf, image->build_id);
        sd_elf_close(&elf);
    }
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
    for (size_t i = 0; i < image->n_texts; i++)
        free(image->texts[i]);
    free(image->texts);
    free(image->sections);
    free(image->symbols);
    free(image->starts);
    free(image->frames);
    free(image->data);
    free(image->landings);
    free(image->parts);
    free(image->stubs);
    free(image->outside);
    free(image->path);
    *image = (struct sd_image){0};
}
