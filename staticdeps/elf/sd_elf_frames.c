/*
 * sd_elf_frames: .eh_frame -> where functions begin.
 *
 * Of each entry only the first address is read.  (Linux Standard Base, Core,
 * 10.6 "Exception Frames"; DWARF 5, 6.4.1.)  Pointers that count from anything
 * but their own place are not understood; compilers do not write them here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include <string.h>

#include "memory.h"

/* DW_EH_PE_*: how a pointer is written. */
enum { ABSOLUTE = 0x00, RELATIVE = 0x10, OMITTED = 0xff };

/* Longer than any: what is damaged must not be searched for an end. */
#define AUGMENTATION_MAX 16

struct cursor {
    const uint8_t *at, *end;
    uint64_t address; /* of `end` */
    bool is_bad;      /* it was to go beyond its end */
};

static uint64_t number(struct cursor *c, unsigned size)
{
    uint64_t value = 0;

    if ((size_t)(c->end - c->at) < size) {
        c->is_bad = true;
        return 0;
    }
    memcpy(&value, c->at, size);
    c->at += size;
    return value;
}

/* A number of seven bits a byte, 64 at most; its value does not matter. */
static void skip_leb128(struct cursor *c)
{
    for (unsigned i = 0; i < 10 && (number(c, 1) & 0x80) != 0; i++)
        ;
}

/* A pointer; false if it is omitted or not understood. */
static bool pointer(struct cursor *c, uint8_t encoding, uint64_t *value)
{
    static const uint8_t sizes[16] = {
        [0x0] = 8, [0x2] = 2, [0x3] = 4, [0x4] = 8,
        [0xa] = 2, [0xb] = 4, [0xc] = 8};
    uint64_t place = c->address - (uint64_t)(c->end - c->at);
    unsigned size = sizes[encoding & 15];

    if (encoding == OMITTED || size == 0) {
        c->is_bad = true;
        return false;
    }
    *value = number(c, size);
    if (encoding & 8) /* signed */
        *value =
            (uint64_t)((int64_t)(*value << (64 - 8 * size)) >> (64 - 8 * size));
    if ((encoding & 0x70) == RELATIVE)
        *value += place;
    return !c->is_bad && (encoding & 0x80) == 0 &&
           ((encoding & 0x70) == RELATIVE || (encoding & 0x70) == ABSOLUTE);
}

/* How the entries of a CIE write their pointers.  Those of signal frames ("S")
   are left out: they begin a byte early, so that unwinders find them. */
static uint8_t encoding_of(struct cursor c)
{
    uint8_t version = (uint8_t)number(&c, 1), encoding = ABSOLUTE;
    const char *augmentation = (const char *)c.at;
    size_t left = (size_t)(c.end - c.at);
    const uint8_t *end =
        memchr(c.at, 0, left < AUGMENTATION_MAX ? left : AUGMENTATION_MAX);
    uint64_t ignored;

    if (end == NULL || (version != 1 && version != 3))
        return OMITTED;
    c.at = end + 1;
    if (augmentation[0] == '\0')
        return ABSOLUTE;
    if (augmentation[0] != 'z' || strchr(augmentation, 'S') != NULL)
        return OMITTED;
    skip_leb128(&c); /* code alignment, data alignment, return register */
    skip_leb128(&c);
    skip_leb128(&c);
    skip_leb128(&c); /* the size of what follows */
    for (const char *a = augmentation + 1; *a != '\0' && !c.is_bad; a++) {
        if (*a == 'R')
            return (uint8_t)number(&c, 1);
        if (*a == 'L')
            number(&c, 1);
        else if (*a == 'P')
            pointer(&c, (uint8_t)number(&c, 1), &ignored);
        else if (*a != 'B' && *a != 'G')
            return OMITTED;
    }
    return c.is_bad ? OMITTED : encoding;
}

/* One entry: an FDE's function begins where its first pointer says. */
static void add_entry(struct sd_image *image, const struct cursor *all,
                      const uint8_t *start, struct cursor entry)
{
    const uint8_t *id = entry.at;
    uint64_t back = number(&entry, 4), address;
    struct cursor cie = *all;

    if (entry.is_bad || back == 0 || back > (uint64_t)(id - start))
        return;
    cie.at = id - back;
    if (number(&cie, 4) == UINT32_MAX)
        number(&cie, 8); /* 64-bit lengths */
    if (number(&cie, 4) != 0 || cie.is_bad ||
        !pointer(&entry, encoding_of(cie), &address))
        return;
    image->starts = memory_grow(image->starts, &image->starts_room,
                                image->n_starts, sizeof *image->starts);
    image->starts[image->n_starts++] = address;
}

static void read_frames(struct sd_image *image, struct cursor all)
{
    const uint8_t *start = all.at;

    while (all.at < all.end) {
        uint64_t length = number(&all, 4);
        struct cursor entry;

        if (length == UINT32_MAX)
            length = number(&all, 8);
        if (all.is_bad || length == 0 || length > (uint64_t)(all.end - all.at))
            return;
        entry = all;
        entry.end = all.at + length;
        entry.address -= (uint64_t)(all.end - entry.end);
        add_entry(image, &all, start, entry);
        all.at += length;
    }
}

static struct cursor cursor_of(const Elf_Data *data, uint64_t address)
{
    const uint8_t *start = data->d_buf;

    return (struct cursor){start, start + data->d_size, address + data->d_size,
                           false};
}

/* The bytes from an address to the end of the segment that it lies in. */
static bool at_address(const struct sd_elf *elf, uint64_t address,
                       struct cursor *c)
{
    Elf_Data *data;
    GElf_Phdr h;
    size_t n;

    if (elf_getphdrnum(elf->elf, &n) != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t offset;

        if (gelf_getphdr(elf->elf, (int)i, &h) == NULL || h.p_type != PT_LOAD ||
            address - h.p_vaddr >= h.p_filesz ||
            !sd_elf_holds(elf, h.p_offset, h.p_filesz))
            continue;
        offset = address - h.p_vaddr;
        data = elf_getdata_rawchunk(elf->elf, (int64_t)(h.p_offset + offset),
                                    h.p_filesz - offset, ELF_T_BYTE);
        if (data != NULL)
            *c = cursor_of(data, address);
        return data != NULL;
    }
    return false;
}

/* Without section headers, PT_GNU_EH_FRAME tells where the frames begin. */
static void read_segment(const struct sd_elf *elf, struct sd_image *image)
{
    struct cursor c;
    uint8_t encoding;
    uint64_t address;
    GElf_Phdr h;
    size_t n;

    if (elf_getphdrnum(elf->elf, &n) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        if (gelf_getphdr(elf->elf, (int)i, &h) == NULL ||
            h.p_type != PT_GNU_EH_FRAME || !at_address(elf, h.p_vaddr, &c) ||
            number(&c, 1) != 1)
            continue;
        encoding = (uint8_t)number(&c, 1);
        number(&c, 2); /* how its own table is written */
        if (pointer(&c, encoding, &address) && at_address(elf, address, &c))
            read_frames(image, c);
        return;
    }
}

void sd_elf_frames(const struct sd_elf *elf, struct sd_image *image)
{
    Elf_Data *data;
    GElf_Shdr h;
    size_t i;

    if (elf->header.e_shoff == 0) {
        read_segment(elf, image);
        return;
    }
    if (sd_elf_find(elf, ".eh_frame", &i, &h) &&
        (data = sd_elf_data(elf, i, true)) != NULL)
        read_frames(image, cursor_of(data, h.sh_addr));
}
