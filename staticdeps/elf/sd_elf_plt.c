/*
 * sd_elf_plt: finds and names the entries of the procedure linkage table.
 *
 * An entry jumps to the address in a slot of the global offset table, and a
 * relocation names the slot's symbol: the entry for puts is "puts@plt".  The
 * slot is read from the instructions that the ABIs prescribe: jmp *slot(%rip),
 * or adrp x16, ldr x17.  (System V ABI, AMD64 supplement, 5.2; ELF for the Arm
 * 64-bit Architecture, PLT sequences.)  Entries with other instructions get no
 * names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

#define ENTRY_SIZE 16
#define PLT_RANK   9 /* any other name is better */

struct slot {
    uint64_t address;
    const char *name; /* libelf's */
    const char *plt;  /* the image's; NULL: not named yet */
};

struct slots {
    struct slot *list; /* sorted by address */
    size_t n, room;
    size_t table;     /* the symbol table of the last slots */
    uint64_t size;    /* of the sections read up to now */
    uint64_t n_bytes; /* of the entries' names */
};

static void add_slots(const struct sd_elf *elf, struct slots *slots,
                      size_t number, const GElf_Shdr *h)
{
    Elf_Data *data = sd_elf_data(elf, number, false);
    struct sd_strings names;
    Elf_Data *symbols;
    GElf_Shdr table;
    GElf_Rela rela;
    GElf_Sym sym;

    if (data == NULL || !sd_elf_header(elf, h->sh_link, &table) ||
        table.sh_type != SHT_DYNSYM)
        return;
    if (slots->table != h->sh_link)
        slots->size += table.sh_size;
    slots->table = h->sh_link;
    symbols = sd_elf_data(elf, h->sh_link, false);
    if (symbols == NULL || slots->size > elf->size)
        return;
    names = sd_elf_strings(elf, table.sh_link);
    for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
        uint64_t symbol = GELF_R_SYM(rela.r_info);
        const char *name;

        if (symbol == 0 || symbol > INT32_MAX ||
            gelf_getsym(symbols, (int)symbol, &sym) == NULL)
            continue;
        name = sd_strings_at(&names, sym.st_name);
        if (name == NULL || name[0] == '\0')
            continue;
        array_push(slots->list, slots->n, slots->room,
                   (struct slot){rela.r_offset, name, NULL});
    }
}

/* The name for a slot's entries, or NULL.  The total length of names is limited
   to the file's size, which only files with overlapping names exceed. */
static const char *name_of(struct slots *slots, struct slot *slot,
                           const struct sd_elf *elf, struct sd_image *image)
{
    char *plt;

    if (slot->plt != NULL || slots->n_bytes > elf->size)
        return slot->plt;
    slots->n_bytes += strlen(slot->name);
    if (slots->n_bytes > elf->size)
        return NULL;
    plt = memory_printf("%s@plt", slot->name);
    sd_image_keep(image, plt);
    return slot->plt = plt;
}

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Reads the slot of the jump at an offset, and where its entry begins; false if
   no such instruction is there.  At least 8 bytes follow the offset. */
static bool x86_slot(const struct sd_section *s, size_t at, size_t *entry,
                     uint64_t *slot)
{
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};

    if (s->bytes[at] != 0xff || s->bytes[at + 1] != 0x25)
        return false;
    *slot = s->address + at + 6 +
            (uint64_t)(int64_t)(int32_t)word_at(s->bytes + at + 2);
    *entry = at;
    if (*entry >= 1 && s->bytes[*entry - 1] == 0xf2) /* bnd */
        --*entry;
    if (*entry >= 4 && memcmp(s->bytes + *entry - 4, endbr, 4) == 0)
        *entry -= 4;
    return true;
}

static bool a64_slot(const struct sd_section *s, size_t at, size_t *entry,
                     uint64_t *slot)
{
    uint32_t adrp = word_at(s->bytes + at), ldr = word_at(s->bytes + at + 4);
    uint64_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);

    if (at % 4 != 0 || (adrp & 0x9f00001f) != 0x90000010 ||
        (ldr & 0xffc003ff) != 0xf9400211)
        return false;
    pages = (pages ^ 0x100000) - 0x100000; /* 21 bits, signed */
    *slot = ((s->address + at) & ~UINT64_C(0xfff)) + (pages << 12) +
            8 * (ldr >> 10 & 0xfff);
    *entry = at;
    if (at >= 4 && word_at(s->bytes + at - 4) == 0xd503245f) /* bti c */
        *entry -= 4;
    return true;
}

static void add_name(struct sd_image *image, size_t section, size_t entry,
                     const char *name)
{
    const struct sd_section *s = &image->sections[section];
    size_t left = s->size - entry;

    sd_image_add_symbol(
        image, (struct sd_symbol){.name = name,
                                  .address = s->address + entry,
                                  .size = left < ENTRY_SIZE ? left : ENTRY_SIZE,
                                  .section = section,
                                  .is_function = true,
                                  .rank = PLT_RANK});
}

static void name_entries(const struct sd_elf *elf, struct slots *slots,
                         struct sd_image *image, size_t section)
{
    const struct sd_section *s = &image->sections[section];

    for (size_t at = 0; at + 8 <= s->size; at++) {
        uint64_t address;
        size_t entry;
        const char *name = NULL;
        struct slot *slot;

        if (elf->arch == SD_X86_64 ? !x86_slot(s, at, &entry, &address)
                                   : !a64_slot(s, at, &entry, &address))
            continue;
        array_append(image, stubs,
                     (struct sd_stub){s->address + entry, address});
        slot = array_find(&address, slots->list, slots->n, array_by_number);
        if (slot != NULL)
            name = name_of(slots, slot, elf, image);
        if (name != NULL)
            add_name(image, section, entry, name);
    }
}

void sd_elf_plt(const struct sd_elf *elf, struct sd_image *image)
{
    struct slots slots = {.n = 0};
    GElf_Shdr h;

    /* Sections larger than the file overlap: they would take any amount of
       time. */
    for (size_t i = 1;
         slots.size <= elf->size && sd_elf_section(elf, SHT_RELA, &i, &h); i++)
        if (h.sh_flags & SHF_ALLOC) {
            slots.size += h.sh_size;
            if (slots.size <= elf->size)
                add_slots(elf, &slots, i, &h);
        }
    array_sort(slots.list, slots.n, array_by_number);
    for (size_t i = 0; i < image->n_sections; i++)
        if (strncmp(image->sections[i].name, ".plt", 4) == 0)
            name_entries(elf, &slots, image, i);
    free(slots.list);
}
