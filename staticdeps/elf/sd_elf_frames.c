/*
 * sd_elf_frames: reads from .eh_frame where functions begin, and their tables
 * of landing pads.
 *
 * Each entry gives its first address, its table's address, and whether its
 * frame begins like that of a function's entry: the frame of a part that the
 * compiler moved away (".cold") mostly does not.  (Linux Standard Base, Core,
 * 10.6 "Exception Frames"; DWARF 5, 6.4.1.)  Pointers must be absolute or
 * relative to their own place; compilers write no others there.  A language may
 * have its own form of tables; only that of C++ is read, which all languages of
 * gcc and LLVM use.  (Itanium C++ ABI, Exception Handling Tables, 7.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

/* The encodings of pointers: DW_EH_PE_* of the Linux Standard Base. */
enum { ABSOLUTE = 0x00, LEB128 = 0x01, RELATIVE = 0x10, OMITTED = 0xff };

/* Bytes, more than any augmentation has: bounds the search for its end. */
#define AUGMENTATION_MAX 16

struct cursor {
    const uint8_t *at, *end;
    uint64_t address; /* the address of the byte at `end` */
    bool is_bad;      /* a read went beyond `end` */
};

static uint64_t number(struct cursor *c, unsigned size)
{
    uint64_t value = 0;

    assert(size <= sizeof value && c->at <= c->end);
    if ((size_t)(c->end - c->at) < size) {
        c->is_bad = true;
        return 0;
    }
    memcpy(&value, c->at, size);
    c->at += size;
    return value;
}

/* Reads a LEB128 number: seven bits in each byte, at most 64 bits. */
static uint64_t leb128(struct cursor *c)
{
    uint64_t value = 0, byte = 0x80;

    for (unsigned i = 0; i < 10 && (byte & 0x80) != 0; i++) {
        byte = number(c, 1);
        value |= (byte & 0x7f) << 7 * i;
    }
    return value;
}

/* Reads a pointer; false if it is omitted or not understood. */
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

/* What a CIE says about its FDEs. */
struct cie {
    uint8_t encoding; /* how FDEs write pointers; OMITTED: skip FDEs */
    uint8_t table;    /* how FDEs write tables' addresses; OMITTED: none */
    bool has_sizes;   /* FDEs have augmentation data, with its size */
};

/* Reads the letters of an augmentation and their data. */
static void read_augmentation(struct cie *cie, const char *letters,
                              struct cursor *c)
{
    uint64_t ignored;

    assert(strlen(letters) < AUGMENTATION_MAX);
    for (const char *a = letters; *a != '\0' && !c->is_bad; a++) {
        if (*a == 'R')
            cie->encoding = (uint8_t)number(c, 1);
        else if (*a == 'L')
            cie->table = (uint8_t)number(c, 1);
        else if (*a == 'P')
            pointer(c, (uint8_t)number(c, 1), &ignored);
        else if (*a != 'B' && *a != 'G')
            cie->encoding = OMITTED;
    }
    if (c->is_bad)
        cie->encoding = OMITTED;
}

/* Reads a CIE.  FDEs of signal frames ("S") are skipped: for unwinders, they
   begin one byte before the function. */
static struct cie read_cie(struct cursor c)
{
    struct cie cie = {.encoding = OMITTED, .table = OMITTED};
    uint8_t version = (uint8_t)number(&c, 1);
    const char *augmentation = (const char *)c.at;
    size_t left = (size_t)(c.end - c.at);
    const uint8_t *end =
        memchr(c.at, 0, left < AUGMENTATION_MAX ? left : AUGMENTATION_MAX);

    if (end == NULL || (version != 1 && version != 3) ||
        (augmentation[0] != '\0' && augmentation[0] != 'z') ||
        strchr(augmentation, 'S') != NULL)
        return cie;
    c.at = end + 1;
    cie.encoding = ABSOLUTE;
    cie.has_sizes = augmentation[0] == 'z';
    if (!cie.has_sizes)
        return cie;
    leb128(&c); /* code alignment, data alignment, return register */
    leb128(&c);
    leb128(&c);
    leb128(&c); /* size of the augmentation data */
    read_augmentation(&cie, augmentation + 1, &c);
    return cie;
}

static struct cursor cursor_of(const Elf_Data *data, uint64_t address)
{
    const uint8_t *start = data->d_buf;

    return (struct cursor){start, start + data->d_size, address + data->d_size,
                           false};
}

/* Sets *c to the bytes from an address to the end of its segment. */
static bool at_address(const struct sd_elf *elf, uint64_t address,
                       struct cursor *c)
{
    Elf_Data *data;
    GElf_Phdr h;

    for (size_t i = 0; sd_elf_segment(elf, PT_LOAD, &i, &h); i++) {
        uint64_t offset = address - h.p_vaddr;

        if (offset >= h.p_filesz || !sd_elf_holds(elf, h.p_offset, h.p_filesz))
            continue;
        data = sd_elf_chunk(elf, h.p_offset + offset, h.p_filesz - offset);
        if (data != NULL)
            *c = cursor_of(data, address);
        return data != NULL;
    }
    return false;
}

/* The least bytes of a call in a table.  At most file size / CALL_MIN calls are
   read, which bounds the time if many functions share one table. */
#define CALL_MIN 4

static uint64_t encoded(struct cursor *c, uint8_t encoding)
{
    uint64_t value = 0;

    if ((encoding & 15) == LEB128)
        return leb128(c);
    pointer(c, encoding & 15, &value);
    return value;
}

/* Reads the table of a function that begins at `start`: the landing pad of each
   call. */
static void read_table(const struct sd_elf *elf, struct sd_image *image,
                       uint64_t start, uint64_t address)
{
    uint64_t base = start, n;
    struct cursor c;

    if (!at_address(elf, address, &c))
        return;
    uint8_t encoding = (uint8_t)number(&c, 1);
    if (encoding != OMITTED && !pointer(&c, encoding, &base))
        return;
    if (number(&c, 1) != OMITTED)
        leb128(&c); /* the offset of the types */
    encoding = (uint8_t)number(&c, 1);
    n = leb128(&c);
    if (c.is_bad || n > (uint64_t)(c.end - c.at))
        return;
    c.address -= (uint64_t)(c.end - c.at) - n;
    c.end = c.at + n;
    assert(c.at <= c.end);
    while (c.at < c.end) {
        struct sd_landing l = {.start = start + encoded(&c, encoding)};

        if (image->n_calls++ > elf->size / CALL_MIN)
            return;
        l.end = l.start + encoded(&c, encoding);
        uint64_t pad = encoded(&c, encoding);
        leb128(&c); /* the action */
        if (c.is_bad)
            return;
        l.pad = base + pad;
        if (pad == 0 || l.end <= l.start)
            continue;
        array_append(image, landings, l);
    }
}

/* Reads the rest of an FDE, after its addresses. */
static void read_rest(const struct sd_elf *elf, struct sd_image *image,
                      const struct cie *cie, uint64_t start, struct cursor c)
{
    uint64_t n = leb128(&c), table;
    struct cursor data = c;

    if (c.is_bad || n > (uint64_t)(c.end - c.at))
        return;
    data.end = c.at + n;
    data.address = c.address - ((uint64_t)(c.end - c.at) - n);
    if (n > 0 && pointer(&data, cie->table, &table) && table != 0)
        read_table(elf, image, start, table);
    c.at += n;
    assert(c.at <= c.end);
    /* The frame begins at a function's entry if its first rule applies after
       the first instruction (DW_CFA_advance_loc*), or if it has no rule but
       DW_CFA_nop. */
    if (c.at == c.end || *c.at <= 0x04 || *c.at >> 6 == 1)
        return;
    array_append(image, parts, start);
}

/* Adds the function that an entry describes, if the entry is an FDE: the first
   pointer of an FDE is the function's start. */
static void add_entry(const struct sd_elf *elf, struct sd_image *image,
                      const struct cursor *all, const uint8_t *start,
                      struct cursor entry)
{
    const uint8_t *id = entry.at;
    uint64_t back = number(&entry, 4), address, size;
    struct cursor at = *all;

    if (entry.is_bad || back == 0 || back > (uint64_t)(id - start))
        return;
    at.at = id - back;
    assert(at.at >= start && at.at < at.end);
    if (number(&at, 4) == UINT32_MAX)
        number(&at, 8); /* 64-bit lengths */
    if (number(&at, 4) != 0 || at.is_bad)
        return;
    struct cie cie = read_cie(at);
    if (!pointer(&entry, cie.encoding, &address))
        return;
    array_append(image, starts, address);
    if (!pointer(&entry, cie.encoding & 15, &size))
        return;
    if (address + size > address)
        array_append(image, frames, (struct sd_range){address, address + size});
    if (cie.has_sizes)
        read_rest(elf, image, &cie, address, entry);
}

static void read_frames(const struct sd_elf *elf, struct sd_image *image,
                        struct cursor all)
{
    const uint8_t *start = all.at;

    while (all.at < all.end) {
        uint64_t length = number(&all, 4);

        if (length == UINT32_MAX)
            length = number(&all, 8);
        if (all.is_bad || length == 0 || length > (uint64_t)(all.end - all.at))
            return;
        struct cursor entry = all;
        entry.end = all.at + length;
        entry.address -= (uint64_t)(all.end - entry.end);
        assert(entry.at < entry.end && entry.end <= all.end);
        add_entry(elf, image, &all, start, entry);
        all.at += length;
    }
}

/* Finds the frames by PT_GNU_EH_FRAME, for files without section headers. */
static void read_segment(const struct sd_elf *elf, struct sd_image *image)
{
    struct cursor c;
    uint8_t encoding;
    uint64_t address;
    GElf_Phdr h;

    for (size_t i = 0; sd_elf_segment(elf, PT_GNU_EH_FRAME, &i, &h); i++) {
        if (!at_address(elf, h.p_vaddr, &c) || number(&c, 1) != 1)
            continue;
        encoding = (uint8_t)number(&c, 1);
        number(&c, 2); /* the encodings of the search table */
        if (pointer(&c, encoding, &address) && at_address(elf, address, &c))
            read_frames(elf, image, c);
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
        read_frames(elf, image, cursor_of(data, h.sh_addr));
}
