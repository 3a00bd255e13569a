/*
 * cc_listing: the rows in which a block is shown, or several.
 *
 * Limits: a long block shows only the ends of its dependencies, with two
 * instructions before and after each; a huge one is read up to 20000
 * instructions.  Without the object's file only the ends of the dependencies
 * are known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_LISTING_H
#define COVERAGE_CC_LISTING_H

#include "html/cc_arcs.h"
#include "code/cc_symbolize.h"

struct cc_listing_row {
    uint32_t object;
    uint64_t address;
    size_t n_omitted; /* 0: a row of an instruction; else it stands for n */
    const struct cc_block *begins; /* NULL; else a row that names it */
    struct disasm_insn insn;
    struct source_frame frame; /* the innermost line */
    struct source_frame
        outer; /* the function's own; without a file if the same */
};

struct cc_listing {
    struct cc_listing_row *rows;
    size_t n, room;
};

/* The rows of a block, which n arcs connect.  The caller calls
   cc_listing_fini. */
void cc_listing_fill(struct cc_listing *listing, const struct cc_block *block,
                     struct cc_symbolizer *symbolizer,
                     const struct cc_arc *arcs, size_t n);

/* Lists all blocks in which the n arcs begin or end: for each block a row that
   names it, then its instructions, of a long block only those around the ends
   of arcs.  The caller calls cc_listing_fini. */
void cc_listing_fill_all(struct cc_listing *listing, const struct cc_data *data,
                         struct cc_symbolizer *symbolizer,
                         const struct cc_arc *arcs, size_t n);
void cc_listing_fini(struct cc_listing *listing);

/* The row of an instruction at which an arc of the block ends; CC_NO_ROW if
   no instruction starts there. */
#define CC_NO_ROW SIZE_MAX
size_t cc_listing_find(const struct cc_listing *listing, uint64_t address);

#endif
