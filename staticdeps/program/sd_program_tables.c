/*
 * sd_program_tables: finds the tables of functions in a program's data:
 * structures of handlers, virtual tables, arrays.
 *
 * A table begins at an address that code or data refer to, or, for a virtual
 * table, after its two words of type information (Itanium C++ ABI, 2.5), and
 * extends to the next table.  If a program loads the address of a function at
 * some offset from an unknown pointer, only the offset is known.  The function
 * must then be in some table at that offset: all fields of one offset are one
 * variable (Heintze, Tardieu, Ultra-fast Aliasing Analysis Using CLA, PLDI
 * 2001, field-based; for virtual tables: Dean, Grove, Chambers, Optimization of
 * Object-Oriented Programs Using Static Class Hierarchy Analysis, ECOOP 1995,
 * without the hierarchy).
 *
 * Entries at regular distances are an array of structures, and each structure
 * is a table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "program/sd_program.h"

#include <stdlib.h>

#include "decode/sd_decode.h"
#include "array.h"
#include "text.h"

#define LARGEST  (1u << 16) /* bytes of a table */
#define APART    1024u      /* of two entries */
#define LEAST    3          /* elements of an array of structures */
#define SMALLEST 16u        /* bytes of such an element */

struct finding {
    const struct sd_program *program;
    struct sd_tables *tables;
    size_t room;
    uint64_t lowest, highest; /* of the addresses of entries */
    uint64_t *starts;         /* of tables; sorted, once all are found */
    size_t n_starts, starts_room;
};

/* Calls `see` with each known word of data that may be an address. */
static void visit(struct finding *f,
                  void (*see)(struct finding *, uint64_t address,
                              uint64_t word))
{
    const struct sd_contents *contents = f->program->contents;

    for (size_t i = 0; i < contents->n; i++) {
        const struct sd_part *part = &contents->parts[i];

        for (size_t k = part->begin; k < part->end; k++)
            if (part->unknown[k] == 0)
                see(f, 8 * (part->first + k), part->words[k]);
    }
}

/* Adds an entry; `table` is its address until the table is known. */
static void see_function(struct finding *f, uint64_t address, uint64_t word)
{
    struct sd_tables *t = f->tables;

    if (word == 0 || !sd_program_is_function(f->program, word))
        return;
    array_push(t->list, t->n, f->room,
               (struct sd_entry){.table = address, .function = word});
}

static void see_start(struct finding *f, uint64_t address, uint64_t word)
{
    (void)address;
    if (word > f->highest || word + LARGEST < f->lowest || word % 8 != 0)
        return;
    array_append(f, starts, word);
}

static void see_code(struct finding *f)
{
    const struct sd_blocks *blocks = f->program->blocks;

    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const struct sd_block *b = &blocks->blocks[i];
        struct sd_referring referring = {.arch = f->program->image->arch};
        uint64_t at = 0, made;

        for (uint32_t k = 0; b->status == SD_OK && k < b->n_insns; k++) {
            unsigned length = blocks->insns[b->first + k] & (SD_NO_EFFECT - 1u);

            if (sd_refer(&referring, b->bytes + at, length, b->address + at,
                         &made))
                see_start(f, 0, made);
            at += length;
        }
    }
}

/* Does a virtual table begin here?  Before its functions it has the offset from
   its part of an object to the whole object, which is not positive, and the
   address of type information or 0. */
static bool is_virtual(const struct finding *f, uint64_t start)
{
    const struct sd_contents *c = f->program->contents;
    uint64_t top, type, first;

    if (!sd_contents_word(c, start, &top) || (int64_t)top > 0 ||
        (int64_t)top < -(1 << 20) || !sd_contents_word(c, start + 16, &first))
        return false;
    if (sd_contents_word(c, start + 8, &type) &&
        sd_program_is_function(f->program, type))
        return false;
    return sd_program_is_function(f->program, first);
}

static void sort_starts(struct finding *f)
{
    size_t n = f->n_starts, kept = 0;

    for (size_t i = 0; i < n; i++)
        if (is_virtual(f, f->starts[i]))
            see_start(f, 0, f->starts[i] + 16);
    array_sort(f->starts, f->n_starts, array_by_number);
    for (size_t i = 0; i < f->n_starts; i++)
        if (kept == 0 || f->starts[kept - 1] != f->starts[i])
            f->starts[kept++] = f->starts[i];
    f->n_starts = kept;
}

/* Divides the n entries of one table: if their distances have a common divisor
   that is large enough, it is an array of structures, each of which becomes a
   table. */
static void divide(struct sd_entry *list, size_t n)
{
    uint32_t size = 0, first = n > 0 ? list[0].offset : 0;

    if (n < LEAST)
        return;
    for (size_t i = 1; i < n; i++)
        size = (uint32_t)num_gcd(list[i].offset - list[i - 1].offset, size);
    if (size < SMALLEST || first >= size)
        return;
    for (size_t i = 0; i < n; i++) {
        list[i].table += list[i].offset - first;
        list[i].offset = first;
    }
}

/* Finds the table of each entry; the entries are sorted by address. */
static void find_tables(struct finding *f)
{
    struct sd_tables *t = f->tables;
    uint64_t last = 0;
    size_t next = 0, kept = 0, begun = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct sd_entry e = t->list[i];
        uint64_t at = e.table, start;

        while (next < f->n_starts && f->starts[next] <= at)
            next++;
        if (next == 0)
            continue;
        start = f->starts[next - 1];
        if (at - start >= LARGEST ||
            at - (last > start ? last : start) >= APART)
            continue;
        last = at;
        if (kept > begun && t->list[begun].table != start) {
            divide(t->list + begun, kept - begun);
            begun = kept;
        }
        e.offset = (uint32_t)(at - start);
        e.table = start;
        t->list[kept++] = e;
    }
    divide(t->list + begun, kept - begun);
    t->n = kept;
}

static int compare_entries(const void *x, const void *y)
{
    const struct sd_entry *a = x, *b = y;

    return array_order(a->offset, b->offset) ?: array_order(a->table, b->table);
}

void sd_program_find_tables(struct sd_program *p)
{
    struct sd_tables *t = &p->tables;
    struct finding f = {.program = p, .tables = t};

    if (p->contents == NULL)
        return;
    visit(&f, see_function);
    if (t->n == 0)
        return;
    f.lowest = t->list[0].table;
    f.highest = t->list[t->n - 1].table;
    visit(&f, see_start);
    see_code(&f);
    sort_starts(&f);
    find_tables(&f);
    array_sort(t->list, t->n, compare_entries);
    free(f.starts);
}

size_t sd_tables_at(const struct sd_tables *t, int64_t offset, size_t *first)
{
    *first = array_bisect(0, t->n, i, t->list[i].offset < offset);
    return array_bisect(*first, t->n, i, t->list[i].offset <= offset) - *first;
}
