/*
 * sd_elf_contents: what a program's memory holds before it runs, as far as its
 * file tells.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_contents.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
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

/* The last part that begins up to there is the only one that may hold it. */
static struct sd_part *find(const struct sd_contents *contents, uint64_t number)
{
    size_t low = 0, high = contents->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (contents->parts[middle].first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && number - contents->parts[low - 1].first <
                          contents->parts[low - 1].n
               ? &contents->parts[low - 1]
               : NULL;
}

static void insert(struct sd_contents *contents, struct sd_part part)
{
    size_t i = contents->n;

    contents->parts = memory_grow(contents->parts, &contents->room, contents->n,
                                  sizeof *contents->parts);
    for (; i > 0 && contents->parts[i - 1].first > part.first; i--)
        contents->parts[i] = contents->parts[i - 1];
    contents->parts[i] = part;
    contents->n++;
}

/* A part of which nothing is known so far. */
static void add_part(struct sd_contents *contents, uint64_t first, size_t n)
{
    struct sd_part part = {.first = first, .n = n};

    part.words = memory_new(n, sizeof *part.words);
    part.unknown = memory_new(n, 1);
    memset(part.unknown, 0xff, n);
    insert(contents, part);
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
    return unknown;
}

void sd_contents_fill(const struct sd_contents *contents, uint64_t address,
                      const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sd_part *part = find(contents, (address + i) / 8);
        unsigned at = (unsigned)(address + i) % 8;
        size_t word;

        if (part == NULL)
            return;
        word = (address + i) / 8 - part->first;
        part->unknown[word] |= (uint8_t)(1u << at);
        if (bytes == NULL)
            continue;
        part->unknown[word] &= (uint8_t) ~(1u << at);
        ((uint8_t *)&part->words[word])[at] = bytes[i];
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
        uint64_t bits, unknown;
        uint8_t byte;

        unknown = sd_contents_at(contents, (from + i) / 8, &bits);
        byte = (uint8_t)(bits >> at);
        sd_contents_fill(contents, to + i,
                         (unknown >> at & 0xff) == 0 ? &byte : NULL, 1);
    }
}

/* Segments may share the words at their borders; then the first has them. */
static void add_segment(struct sd_contents *contents, const struct sd_elf *elf,
                        const GElf_Phdr *h)
{
    struct sd_part part = {.first = h->p_vaddr / 8};
    Elf_Data *data;
    uint64_t end;

    if (h->p_type != PT_LOAD || h->p_filesz == 0 ||
        __builtin_add_overflow(h->p_vaddr, h->p_filesz, &end) ||
        end > UINT64_MAX - 8 || !sd_elf_holds(elf, h->p_offset, h->p_filesz))
        return;
    data = elf_getdata_rawchunk(elf->elf, (int64_t)h->p_offset, h->p_filesz,
                                ELF_T_BYTE);
    if (data == NULL || data->d_buf == NULL)
        return;
    part.n = (end + 7) / 8 - part.first;
    while (part.n > 0 && find(contents, part.first) != NULL) {
        part.first++;
        part.n--;
    }
    if (part.n == 0)
        return;
    add_part(contents, part.first, part.n);
    sd_contents_fill(contents, h->p_vaddr, data->d_buf, h->p_filesz);
}

static int read_all(struct sd_contents *contents, const struct sd_elf *elf)
{
    uint64_t size = 0;
    GElf_Phdr p;
    size_t n;

    if (elf->is_relocatable || elf_getphdrnum(elf->elf, &n) != 0)
        return 0;
    for (size_t i = 0; i < n && size <= elf->size; i++)
        if (gelf_getphdr(elf->elf, (int)i, &p) != NULL) {
            size += p.p_filesz; /* what overlaps is damaged */
            add_segment(contents, elf, &p);
        }
    return 0;
}

int sd_contents_read(struct sd_contents *contents, const char *path,
                     struct diag *d)
{
    struct sd_elf elf;
    int rc;

    *contents = (struct sd_contents){0};
    if (sd_elf_open(&elf, path, d) != 0)
        return -1;
    rc = read_all(contents, &elf);
    sd_elf_close(&elf);
    return rc;
}
