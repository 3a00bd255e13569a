/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/cc_html.h"

#define WHOLE  60    /* instructions: a block with no more is shown whole */
#define FEW    8     /* instructions: likewise, for a block among others */
#define MOST   20000 /* instructions that are read */
#define AROUND 2     /* rows that are shown before and after an end */

static void add_row(struct cc_listing *l, struct cc_listing_row row)
{
    array_push(l->rows, l->n, l->room, row);
}

static struct cc_listing_row look_at(struct cc_symbolizer *symbolizer,
                                     uint32_t object, uint64_t address)
{
    struct cc_listing_row row = {.object = object, .address = address};
    struct cc_location at;

    cc_symbolize(symbolizer, object, address, &at);
    row.insn = at.insn;
    row.frame = at.frames[0];
    if (at.n_frames > 1)
        row.outer = at.frames[at.n_frames - 1];
    return row;
}

/* Adds a row for each instruction of a block that can be read. */
static void disassemble(struct cc_listing *l, const struct cc_block *block,
                        struct cc_symbolizer *symbolizer)
{
    uint64_t address = block->start;

    while (address < block->end && l->n < MOST) {
        struct cc_listing_row row = look_at(symbolizer, block->object, address);

        if (row.insn.length == 0 || row.insn.length > block->end - address)
            return;
        add_row(l, row);
        address += row.insn.length;
    }
}

ARRAY_ORDER(row_order, struct cc_listing_row,
            array_order(a->address, b->address))

/* Adds the ends of dependencies for which no instruction was read. */
static void add_ends(struct cc_listing *l, const struct cc_arc *arcs,
                     size_t n_arcs)
{
    size_t n_read = l->n, n = 0;

    for (size_t i = 0; i < n_arcs; i++) {
        const uint64_t ends[] = {arcs[i].src, arcs[i].dst};

        for (int end = 0; end < 2; end++) {
            struct cc_listing_row row = {.address = ends[end]};

            if (array_find(&row, l->rows, n_read, row_order) == NULL)
                add_row(l, row);
        }
    }
    array_sort(l->rows, l->n, row_order);
    for (size_t i = 0; i < l->n; i++)
        if (n == 0 || l->rows[n - 1].address != l->rows[i].address)
            l->rows[n++] = l->rows[i];
    l->n = n;
}

static void mark_around(bool *shown, size_t n, size_t row)
{
    size_t first = row > AROUND ? row - AROUND : 0;

    assert(row < n);
    for (size_t i = first; i < n && i <= row + AROUND; i++)
        shown[i] = true;
}

static void omit(struct cc_listing *l, const struct cc_arc *arcs, size_t n_arcs)
{
    bool *shown = memory_new(l->n, sizeof *shown);
    size_t n = 0;

    for (size_t i = 0; i < n_arcs; i++) {
        mark_around(shown, l->n, cc_listing_find(l, arcs[i].src));
        mark_around(shown, l->n, cc_listing_find(l, arcs[i].dst));
    }
    for (size_t i = 0; i < l->n; i++) {
        bool goes_on = n > 0 && l->rows[n - 1].n_omitted > 0;

        if (shown[i])
            l->rows[n++] = l->rows[i];
        else if (goes_on)
            l->rows[n - 1].n_omitted++;
        else {
            l->rows[n] = l->rows[i];
            l->rows[n++].n_omitted = 1;
        }
    }
    l->n = n;
    free(shown);
}

static void fill(struct cc_listing *listing, const struct cc_block *block,
                 struct cc_symbolizer *symbolizer, const struct cc_arc *arcs,
                 size_t n, size_t whole)
{
    *listing = (struct cc_listing){0};
    disassemble(listing, block, symbolizer);
    add_ends(listing, arcs, n);
    for (size_t i = 1; i < listing->n; i++)
        assert(row_order(&listing->rows[i - 1], &listing->rows[i]) < 0);
    if (listing->n > whole)
        omit(listing, arcs, n);
    for (size_t i = 0; i < n; i++)
        assert(cc_listing_find(listing, arcs[i].src) != CC_NO_ROW &&
               cc_listing_find(listing, arcs[i].dst) != CC_NO_ROW);
}

void cc_listing_fill(struct cc_listing *listing, const struct cc_block *block,
                     struct cc_symbolizer *symbolizer,
                     const struct cc_arc *arcs, size_t n)
{
    fill(listing, block, symbolizer, arcs, n, WHOLE);
}

ARRAY_ORDER(number_order, uint32_t, array_order(*a, *b))

/* Appends the rows of a block; each end of an arc is treated as an arc within
   the block. */
static void append(struct cc_listing *l, const struct cc_data *data,
                   uint32_t block, struct cc_symbolizer *symbolizer,
                   const struct cc_arc *arcs, size_t n)
{
    struct cc_arc *ends = memory_new(2 * n, sizeof *ends);
    const struct cc_block *b = &data->blocks[block];
    struct cc_listing part;
    size_t n_ends = 0;

    for (size_t i = 0; i < n; i++) {
        if (arcs[i].src_block == block)
            ends[n_ends++] =
                (struct cc_arc){.src = arcs[i].src, .dst = arcs[i].src};
        if (arcs[i].dst_block == block)
            ends[n_ends++] =
                (struct cc_arc){.src = arcs[i].dst, .dst = arcs[i].dst};
    }
    assert(n_ends > 0 && n_ends <= 2 * n);
    fill(&part, b, symbolizer, ends, n_ends, FEW);
    add_row(l, (struct cc_listing_row){.address = b->start, .begins = b});
    for (size_t i = 0; i < part.n; i++)
        add_row(l, part.rows[i]);
    cc_listing_fini(&part);
    free(ends);
}

void cc_listing_fill_all(struct cc_listing *listing, const struct cc_data *data,
                         struct cc_symbolizer *symbolizer,
                         const struct cc_arc *arcs, size_t n)
{
    uint32_t *blocks = memory_new(2 * n, sizeof *blocks);

    *listing = (struct cc_listing){0};
    for (size_t i = 0; i < n; i++) {
        blocks[2 * i] = arcs[i].src_block;
        blocks[2 * i + 1] = arcs[i].dst_block;
    }
    array_sort(blocks, 2 * n, number_order);
    for (size_t i = 0; i < 2 * n; i++)
        if (i == 0 || blocks[i] != blocks[i - 1])
            append(listing, data, blocks[i], symbolizer, arcs, n);
    free(blocks);
}

void cc_listing_fini(struct cc_listing *listing)
{
    free(listing->rows);
    *listing = (struct cc_listing){0};
}

/* Searches all rows: blocks overlap in a damaged database, and then the rows
   are not sorted. */
size_t cc_listing_find(const struct cc_listing *listing, uint64_t address)
{
    for (size_t i = 0; i < listing->n; i++)
        if (listing->rows[i].address == address &&
            listing->rows[i].begins == NULL)
            return i;
    return CC_NO_ROW;
}
