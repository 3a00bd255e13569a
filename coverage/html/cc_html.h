/*
 * cc_html: a report as one page for a browser.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_HTML_H
#define COVERAGE_CC_HTML_H

#include <stdio.h>

#include "html/cc_arcs.h"
#include "judge/cc_figures.h"
#include "report/cc_report.h"
#include "diag.h"

/* Writes the page into a file, which is replaced when the page is complete. */
int cc_html_write(const char *path, const struct cc_report *report,
                  const struct cc_curve *curve, struct diag *d);

/* --- The parts of the page, each written by a file of its own --- */

/* The table by lifetime bound, and the figures and gates below it. */
void cc_html_score(FILE *out, const struct cc_report *report);

/* The figures beside the baseline's; there must be one. */
void cc_html_changes(FILE *out, const struct cc_report *report);

/* cov_u and cov_w over the lifetime bound. */
void cc_html_curve(FILE *out, const struct cc_curve *curve);

/* Precision over coverage, a point for each threshold of support. */
void cc_html_support(FILE *out, const struct cc_report *report);

/* A bar for each function. */
void cc_html_functions(FILE *out, const struct cc_report *report);

/* The found, missed and false ones that were asked for. */
void cc_html_lists(FILE *out, const struct cc_report *report);

/* Why dependencies were missed; and where they lie. */
void cc_html_reasons(FILE *out, const struct cc_report *report);
void cc_html_where(FILE *out, const struct cc_report *report);

/* The kept blocks: listings with their arcs, as many as keep the page small.
   Returns how many bytes they took that are packed. */
#define CC_HTML_ARCS 25 /* of each kind in a block, at most */
size_t cc_html_blocks(FILE *out, const struct cc_report *report);

/* Writes the functions with pairs between two blocks: these blocks one
   under the other.  About `room` bytes of them may be packed. */
void cc_html_between(FILE *out, const struct cc_report *report, size_t room);

/* The summary of such a block or function, and what is below. */
void cc_html_block_heading(FILE *out, const struct cc_report *report,
                           const struct cc_arc_block *b);
void cc_html_block_body(FILE *out, const struct cc_report *report,
                        const struct cc_arc_block *b);

/* n arcs beside a listing of n_rows rows; spans[i] says between which of them
   arcs[i] goes.  Gives the arcs their lanes. */
void cc_html_arcs(FILE *out, struct cc_arc *arcs,
                  const struct cc_arc_span *spans, size_t n, size_t n_rows);

/* A short piece of such an arc, for legends and lists. */
void cc_html_arc_key(FILE *out, enum cc_arc_kind kind);
const char *cc_html_arc_class(enum cc_arc_kind kind);

#endif
