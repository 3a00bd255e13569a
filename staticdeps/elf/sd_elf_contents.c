/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/sd_image.h"

#include "elf/sd_elf.h"

void sd_contents_fini(struct sd_contents *contents)
{
    for (size_t i = 0; i < contents->n; i++) {
        free(contents->parts[i].words);
        free(contents->parts[i].unknown);
    }
    free(contents->parts);
    *contents = (struct sd_contents){0};
}

/* The part that contains a word, or NULL.  Parts are sorted and disjoint: only
   the last part that begins at or before the word may contain the word. */
static struct sd_part *find(const struct sd_contents *contents, uint64_t number)
{
    size_t end =
        array_bisect(0, contents->n, i, contents->parts[i].first <= number);
    struct sd_part *last = end > 0 ? &contents->parts[end - 1] : NULL;

    return last != NULL && number - last->first < last->n ? last : NULL;
}

static struct sd_part *insert(struct sd_contents *contents, struct sd_part part)
{
    size_t i = contents->n;

    contents->parts = memory_grow(contents->parts, &contents->room, contents->n,
                                  sizeof *contents->parts);
    for (; i > 0 && contents->parts[i - 1].first > part.first; i--)
        contents->parts[i] = contents->parts[i - 1];
    contents->parts[i] = part;
    contents->n++;
    assert(i == 0 || contents->parts[i - 1].first <= part.first);
    return &contents->parts[i];
}

/* Adds a part of unknown bytes, in which any word may be an address. */
static struct sd_part *add_part(struct sd_contents *contents, uint64_t first,
                                size_t n)
{
    struct sd_part part = {.first = first, .n = n, .end = n};

    part.words = memory_new(n, sizeof *part.words);
    part.unknown = memory_new(n, 1);
    memset(part.unknown, 0xff, n);
    return insert(contents, part);
}

uint64_t sd_contents_at(const struct sd_contents *contents, uint64_t number,
                        uint64_t *bits)
{
    const struct sd_part *part = find(contents, number);
    uint64_t unknown = 0;

    *bits = 0;
    if (part == NULL)
        return UINT64_MAX;
    *bits = part->words[number - part->first];
    for (unsigned i = 0, u = part->unknown[number - part->first]; i < 8; i++)
        if (u >> i & 1)
            unknown |= UINT64_C(0xff) << 8 * i;
    *bits &= ~unknown;
    assert(number - part->first < part->n);
    return unknown;
}

void sd_contents_fill(const struct sd_contents *contents, uint64_t address,
                      const uint8_t *bytes, size_t n)
{
    struct sd_part *part;

    while (n > 0 && (part = find(contents, address / 8)) != NULL) {
        size_t first = (size_t)(address - 8 * part->first),
               end = n < 8 * part->n - first ? first + n : 8 * part->n;

        for (size_t i = first; i < end; i += 8 - i % 8) {
            unsigned before = (unsigned)i % 8,
                     after = end - i < 8 - before
                                 ? 8 - before - (unsigned)(end - i)
                                 : 0;
            uint8_t mask = (uint8_t)(0xff << before & 0xff >> after);

            if (bytes != NULL)
                part->unknown[i / 8] &= (uint8_t)~mask;
            else
                part->unknown[i / 8] |= mask;
        }
        if (bytes != NULL) {
            memcpy((uint8_t *)part->words + first, bytes, end - first);
            bytes += end - first;
        }
        address += end - first;
        n -= end - first;
    }
}

bool sd_contents_word(const struct sd_contents *contents, uint64_t address,
                      uint64_t *word)
{
    unsigned at = 8 * (unsigned)(address % 8);
    uint64_t low, high = 0,
                  unknown = sd_contents_at(contents, address / 8, &low);

    unknown >>= at;
    if (at > 0)
        unknown |= sd_contents_at(contents, address / 8 + 1, &high)
                   << (64 - at);
    *word = low >> at | (at > 0 ? high << (64 - at) : 0);
    return unknown == 0;
}

void sd_contents_join(struct sd_contents *contents, struct sd_contents *more,
                      uint64_t base)
{
    assert(base % 8 == 0);
    for (size_t i = 0; i < more->n; i++) {
        more->parts[i].first += base / 8;
        insert(contents, more->parts[i]);
    }
    free(more->parts);
    *more = (struct sd_contents){0};
}

void sd_contents_copy(struct sd_contents *contents, uint64_t to, uint64_t from,
                      size_t n)
{
    uint64_t end = to + n, number = to / 8;

    if (n == 0 || end < to || end > UINT64_MAX - 8)
        return;
    while (number < (end + 7) / 8) {
        uint64_t first = number;

        while (number < (end + 7) / 8 && find(contents, number) == NULL)
            number++;
        if (number > first)
            add_part(contents, first, number - first);
        else
            number++;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned at = 8 * (unsigned)((from + i) % 8);
        uint64_t bits;

        uint64_t unknown = sd_contents_at(contents, (from + i) / 8, &bits);
        uint8_t byte = (uint8_t)(bits >> at);
        sd_contents_fill(contents, to + i,
                         (unknown >> at & 0xff) == 0 ? &byte : NULL, 1);
    }
}

/* Adds a part for the words that no part contains yet: two ranges of bytes may
   meet in one word, which then belongs to the first.  NULL if there are no such
   words. */
static struct sd_part *add_bytes(struct sd_contents *contents, uint64_t address,
                                 uint64_t size, const uint8_t *bytes)
{
    uint64_t first = address / 8, end;

    if (size == 0 || __builtin_add_overflow(address, size, &end) ||
        end > UINT64_MAX - 8)
        return NULL;
    end = (end + 7) / 8;
    while (first < end && find(contents, first) != NULL)
        first++;
    if (first == end)
        return NULL;
    struct sd_part *part = add_part(contents, first, end - first);
    sd_contents_fill(contents, address, bytes, size);
    return part;
}

static bool is_data(const GElf_Shdr *h)
{
    return h->sh_type == SHT_PROGBITS && h->sh_flags & SHF_ALLOC &&
           !(h->sh_flags & SHF_EXECINSTR);
}

/* Read-only segments are not relocated, so that they contain addresses only in
   a file with fixed addresses.  There, find_addresses() takes only sections of
   data: the segments may hold code and the file's own tables, too.  Without
   section headers, all segments without code count but the first, which has the
   tables. */
static bool may_have_addresses(const struct sd_elf *elf, const GElf_Phdr *h)
{
    return (h->p_flags & PF_W) != 0 ||
           (elf->n_headers == 0 && elf->header.e_type == ET_EXEC &&
            h->p_offset != 0 && !(h->p_flags & PF_X));
}

/* Lets the words in sections of data be addresses, too. */
static void find_addresses(struct sd_contents *contents,
                           const struct sd_elf *elf)
{
    GElf_Shdr h;

    for (size_t i = 1; sd_elf_section(elf, SHT_PROGBITS, &i, &h); i++) {
        if (!is_data(&h) || h.sh_addralign < 8)
            continue;
        struct sd_part *part = find(contents, h.sh_addr / 8);
        if (part == NULL)
            continue;
        size_t begin = h.sh_addr / 8 - part->first;
        size_t end = begin + h.sh_size / 8;
        part->begin = begin < part->begin ? begin : part->begin;
        part->end = end > part->end ? end : part->end;
        if (part->end > part->n)
            part->end = part->n;
        assert(begin < part->n);
    }
}

static void add_segment(struct sd_contents *contents, const struct sd_elf *elf,
                        const GElf_Phdr *h)
{
    Elf_Data *data;

    if (h->p_type != PT_LOAD || h->p_filesz == 0 ||
        (data = sd_elf_chunk(elf, h->p_offset, h->p_filesz)) == NULL)
        return;
    struct sd_part *part =
        add_bytes(contents, h->p_vaddr, h->p_filesz, data->d_buf);
    if (part != NULL && !may_have_addresses(elf, h)) {
        part->begin = part->n;
        part->end = 0;
    }
}

/* --- Object files; objrel chooses the addresses of their sections --- */

/* Writes the bytes that a section's relocations change, as unknown if the file
   does not define the symbol. */
static void apply_section(struct sd_contents *contents,
                          const struct sd_elf *elf,
                          const struct objrel_layout *layout, size_t number,
                          const GElf_Shdr *h)
{
    Elf_Data *data = sd_elf_data(elf, number, false);
    Elf_Data *symbols = sd_elf_data(elf, h->sh_link, false);
    uint64_t start = layout->addresses[h->sh_info];
    GElf_Rela rela;
    GElf_Sym sym;

    if (data == NULL || symbols == NULL)
        return;
    for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
        uint64_t symbol = GELF_R_SYM(rela.r_info);
        struct objreloc r = {.type = (uint32_t)GELF_R_TYPE(rela.r_info),
                             .place = start + rela.r_offset,
                             .addend = rela.r_addend};
        uint8_t bytes[8] = {0};
        size_t n = 0;

        if (symbol <= INT32_MAX &&
            gelf_getsym(symbols, (int)symbol, &sym) != NULL &&
            sym.st_shndx != SHN_UNDEF && sym.st_shndx < layout->n &&
            !objreloc_needs_slot(elf->header.e_machine, r.type)) {
            assert(sym.st_shndx < layout->n && h->sh_info < layout->n);
            r.symbol = layout->addresses[sym.st_shndx] + sym.st_value;
            if (objreloc_apply(elf->header.e_machine, &r, bytes, 4))
                n = 4;
            else if (objreloc_apply(elf->header.e_machine, &r, bytes, 8))
                n = 8;
        }
        sd_contents_fill(contents, r.place, n > 0 ? bytes : NULL,
                         n > 0 ? n : 8);
    }
}

static void read_sections(struct sd_contents *contents,
                          const struct sd_elf *elf)
{
    AUTO_FINI(objrel_layout_fini) struct objrel_layout layout;
    uint64_t size = 0, table = 0;
    Elf_Data *data;
    GElf_Shdr h, of;

    objrel_layout_init(&layout, elf->elf, elf->size);
    for (size_t i = 1;
         size <= elf->size && sd_elf_section(elf, SHT_PROGBITS, &i, &h); i++)
        if (is_data(&h) && (data = sd_elf_data(elf, i, true)) != NULL) {
            size += data->d_size; /* more than the file if sections overlap */
            add_bytes(contents, layout.addresses[i], data->d_size, data->d_buf);
        }
    size = 0;
    for (size_t i = 1;
         size <= elf->size && sd_elf_section(elf, SHT_RELA, &i, &h); i++)
        if (h.sh_info < elf->n_headers && sd_elf_header(elf, h.sh_info, &of) &&
            is_data(&of)) {
            size += h.sh_size;
            if (h.sh_link != table && sd_elf_header(elf, h.sh_link, &of))
                size += of.sh_size;
            table = h.sh_link;
            if (size <= elf->size) /* more than the file if tables overlap */
                apply_section(contents, elf, &layout, i, &h);
        }
}

static void read_segments(struct sd_contents *contents,
                          const struct sd_elf *elf)
{
    uint64_t size = 0;
    GElf_Phdr p;

    for (size_t i = 0;
         size <= elf->size && sd_elf_segment(elf, PT_NULL, &i, &p); i++) {
        size += p.p_filesz; /* more than the file if segments overlap */
        add_segment(contents, elf, &p);
    }
    if (elf->header.e_type == ET_EXEC)
        find_addresses(contents, elf);
}

int sd_contents_read(struct sd_contents *contents, const char *path,
                     struct diag *d)
{
    struct sd_elf elf;

    *contents = (struct sd_contents){0};
    if (sd_elf_open(&elf, path, d) != 0)
        return -1;
    if (elf.is_relocatable)
        read_sections(contents, &elf);
    else
        read_segments(contents, &elf);
    sd_elf_close(&elf);
    return 0;
}
