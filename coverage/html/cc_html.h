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
#include "judge/cc_figures.h"
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
const char *cc_html_arc_class(enum cc_arc_kind kind);

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

#endif
