/* cc_html: writes a report as one page for a browser. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "report/cc_report.h"

/* --- Arcs --- */

/* The dependencies within the kept blocks, and those between the blocks of
   functions.  What is found, missed or wrongly predicted becomes an arc from
   one row of a listing to another, in a lane where it covers no other arc, if
   there are enough lanes.  Has no side effects. */

#define CC_ARCS_LANES 24 /* further arcs share the outermost lane */

enum cc_arc_kind { CC_ARC_FOUND, CC_ARC_MISSED, CC_ARC_FALSE, CC_ARC_KINDS };

struct cc_arc {
    enum cc_arc_kind kind;
    uint64_t src, dst;
    uint32_t src_block, dst_block;
    const struct cc_observed *observed;     /* NULL if predicted wrongly */
    const struct cc_prediction *prediction; /* NULL if missed, or the first of
                                               several */
    size_t n_predictions;
    unsigned lane; /* lane beside the listing, from 0; set by cc_arcs_place */
};

/* A block or a function, and its arcs: the heaviest first, wrong ones last. */
struct cc_arc_block {
    uint32_t block, function; /* one of the two is CC_NONE */
    size_t n_blocks, n_kept;  /* numbers of blocks of a function */
    struct cc_arc *arcs;
    size_t n, capacity;
    size_t n_kind[CC_ARC_KINDS];
};

struct cc_arc_blocks {
    struct cc_arc_block *blocks;
    size_t n;
};

/* Finds the kept blocks: those with arcs first, and the most executed
   instructions first.  A dependency counts if it occurred within the largest
   bound; a prediction is wrong by the rule of cc_score's precision.  The data
   must be matched; the arcs point into it.  cc_arcs_free frees the result.
   `is_between`: instead finds, in the same order, the functions with an end of
   a pair of two blocks.  A pair of two functions of an object is an arc of
   both. */
struct cc_arc_blocks cc_arcs_find(const struct cc_data *data, bool is_between);
void cc_arcs_free(struct cc_arc_blocks *found);

/* The rows, from `first` to `last` in either order, that an arc connects. */
struct cc_arc_span {
    size_t src_row, dst_row;
};

/* Gives n arcs their lanes, with short arcs inside long ones; span[i] has the
   rows of arcs[i].  Returns the number of used lanes. */
unsigned cc_arcs_place(struct cc_arc *arcs, const struct cc_arc_span *span,
                       size_t n);

/* --- The page --- */

/* Writes the page to a file, which is replaced when the page is complete. */
int cc_html_write(const char *path, const struct cc_report *report,
                  const struct cc_curve *curve, struct diag *d);

/* --- The parts of the page --- */

/* Draws cov_u and cov_w over the lifetime bound. */
void cc_html_curve(FILE *out, const struct cc_curve *curve);

/* Draws precision over coverage, with a point for each threshold of support. */
void cc_html_support(FILE *out, const struct cc_report *report);

/* Writes a bar for each function. */
void cc_html_functions(FILE *out, const struct cc_report *report);

/* Writes the kept blocks, as listings with arcs; `is_between`: the functions
   with pairs between two blocks, with these blocks one below the other.  At
   most about `room` bytes may be packed.  Returns the size in bytes of what
   was. */
size_t cc_html_blocks(FILE *out, const struct cc_report *report,
                      bool is_between, size_t room);

/* Writes the summary of a block or function; and the part below it. */
void cc_html_block_heading(FILE *out, const struct cc_report *report,
                           const struct cc_arc_block *b);
void cc_html_block_body(FILE *out, const struct cc_report *report,
                        const struct cc_arc_block *b);

/* Writes a short piece of an arc, for legends and lists. */
void cc_html_arc_key(FILE *out, enum cc_arc_kind kind);

/* --- The text between the tags --- */

/* Write cells of a row, with the keys that they are sorted by. */
void cc_html_count_cell(FILE *out, uint64_t n);
void cc_html_ratio_cell(FILE *out, struct cc_ratio ratio);

/* Writes the headings of a list that can be sorted; NULL ends the names.  A '<'
   before a name means a column of text, aligned to the left. */
void cc_html_headings(FILE *out, const char *const *names);

/* --- Packed parts --- */

/* A packed part is HTML, deflated, in base64, in an element that browsers do
   not show.  Listings shrink to about a tenth.  page.js unpacks a part into its
   place. */

/* Closes a stream of HTML, and writes it to the page: packed, in an element
   with `id` and `attributes`.  Returns its packed size in bytes. */
size_t cc_pack_close(struct memory_stream *html, FILE *page, const char *id,
                     const char *attributes);
