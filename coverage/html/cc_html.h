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
#include "html/cc_arcs.h"
#include "judge/cc_score.h"
#include "memory.h"
#include "report/cc_report.h"
#include "report/report.h"

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
