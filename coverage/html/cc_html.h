/*
 * cc_html: a report as one page for a browser.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_HTML_H
#define COVERAGE_CC_HTML_H

#include <stdint.h>
#include <stdio.h>

#include "diag.h"
#include "judge/cc_score.h"
#include "memory.h"
#include "model/cc_data.h"
#include "report/cc_report.h"
#include "report/report.h"

/* --- Arcs --- */

/* The dependencies within the kept blocks, and between the blocks of functions:
   what is found, missed or wrongly predicted becomes an arc from one row of a
   listing to another, in a lane where it covers no other arc, if there are
   lanes enough.  Pure. */

#define CC_ARCS_LANES 24 /* arcs beyond these share the outermost */

enum cc_arc_kind { CC_ARC_FOUND, CC_ARC_MISSED, CC_ARC_FALSE, CC_ARC_KINDS };

struct cc_arc {
    enum cc_arc_kind kind;
    uint64_t src, dst;
    uint32_t src_block, dst_block;
    const struct cc_observed *observed;     /* NULL if it is false */
    const struct cc_prediction *prediction; /* NULL if it is missed, else the
                                               first of n_predictions */
    size_t n_predictions;
    unsigned lane; /* from 0, beside the listing; set by cc_arcs_place */
};

/* A block, or a function, and its arcs: the heaviest first, the false ones
   last. */
struct cc_arc_block {
    uint32_t block, function; /* one of them; else CC_NONE */
    size_t n_blocks, n_kept;  /* of a function */
    struct cc_arc *arcs;
    size_t n, capacity;
    size_t n_kind[CC_ARC_KINDS];
};

struct cc_arc_blocks {
    struct cc_arc_block *blocks;
    size_t n;
};

/* All kept blocks, the hottest first, those in which most instructions were
   executed; but those without arcs come last.  A dependency counts that
   occurred within the largest of the bounds; a prediction is false by the rule
   of cc_score's precision.  The data must have been matched; the arcs point
   into them.  cc_arcs_free frees the result. */
struct cc_arc_blocks cc_arcs_find(const struct cc_data *data);

/* The functions that have an end of a pair of two blocks, in the same order. If
   the other end is in another function of the object, the pair is an arc of
   both. */
struct cc_arc_blocks cc_arcs_find_between(const struct cc_data *data);
void cc_arcs_free(struct cc_arc_blocks *found);

/* The rows from `first` to `last`, in either order, that an arc needs. */
struct cc_arc_span {
    size_t src_row, dst_row;
};

/* Gives n arcs their lanes, short arcs inside long ones; span[i] says where
   arcs[i] goes.  Returns how many lanes are used. */
unsigned cc_arcs_place(struct cc_arc *arcs, const struct cc_arc_span *span,
                       size_t n);

/* --- The page --- */

/* Writes the page into a file, which is replaced when the page is complete. */
int cc_html_write(const char *path, const struct cc_report *report,
                  const struct cc_curve *curve, struct diag *d);

/* --- The parts of the page --- */

/* cov_u and cov_w over the lifetime bound. */
void cc_html_curve(FILE *out, const struct cc_curve *curve);

/* Precision over coverage, a point for each threshold of support. */
void cc_html_support(FILE *out, const struct cc_report *report);

/* A bar for each function. */
void cc_html_functions(FILE *out, const struct cc_report *report);

/* The kept blocks: listings with their arcs, as many as keep the page small.
   Returns how many bytes they took that are packed. */
size_t cc_html_blocks(FILE *out, const struct cc_report *report);

/* Writes the functions with pairs between two blocks: these blocks one
   under the other.  About `room` bytes of them may be packed. */
void cc_html_between(FILE *out, const struct cc_report *report, size_t room);

/* The summary of such a block or function, and what is below. */
void cc_html_block_heading(FILE *out, const struct cc_report *report,
                           const struct cc_arc_block *b);
void cc_html_block_body(FILE *out, const struct cc_report *report,
                        const struct cc_arc_block *b);

/* A short piece of an arc, for legends and lists. */
void cc_html_arc_key(FILE *out, enum cc_arc_kind kind);

/* --- The text between the tags --- */

/* Cells of a row, with what they are sorted by. */
void cc_html_count_cell(FILE *out, uint64_t n);
void cc_html_ratio_cell(FILE *out, struct cc_ratio ratio);

/* Cells of the headings of a list that can be sorted; NULL ends the names.  A
   name that begins with '<' is that of a column of text, to the left. */
void cc_html_headings(FILE *out, const char *const *names);

/* --- Packed parts --- */

/* A part is HTML, deflated, in base64, in an element that browsers do not show.
   Listings repeat themselves, so they shrink to about a tenth.  page.js unpacks
   the part and puts it where it belongs. */

/* Closes a stream of HTML, and writes it into the page: packed, in an element
   with this id and these attributes.  Returns how many bytes it took. */
size_t cc_pack_close(struct memory_stream *html, FILE *page, const char *id,
                     const char *attributes);

/* --- Listings --- */

/* The rows in which a block is shown, or several.  Limits: a long block shows
   only the ends of its dependencies, with two instructions before and after
   each; a huge one is read up to 20000 instructions.  Without the object's file
   only the ends of the dependencies are known. */
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
