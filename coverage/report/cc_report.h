/*
 * cc_report: a score, written for a person or for a program.
 *
 * common/report writes the tables that cc_formats.c chooses for a format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_REPORT_H
#define COVERAGE_CC_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/cc_compare.h"
#include "model/cc_data.h"
#include "model/cc_match.h"
#include "judge/cc_score.h"
#include "judge/cc_figures.h"
#include "judge/cc_groups.h"
#include "judge/cc_reason.h"
#include "code/cc_symbolize.h"
#include "report/cc_notes.h"

/* cc_formats.c has the name of each, and which tables it has. */
enum cc_format {
    CC_FORMAT_TEXT,
    CC_FORMAT_JSON,
    CC_FORMAT_MARKDOWN,
    CC_FORMAT_JUNIT
};
#define CC_FORMAT_NAMES "text, json, markdown or junit"

/* What a report is made of; it owns nothing. */
struct cc_report {
    const struct cc_data *data;       /* matched */
    const struct cc_score *total;     /* one score of all blocks */
    const struct cc_score *by_object; /* one score for each object */
    const struct cc_score *by_scope;  /* one for each scope up to the data's */
    const struct cc_score
        *by_support; /* as cc_scores_new_by_support has them */
    const struct cc_score
        *by_evidence;               /* as cc_scores_new_by_evidence has them */
    const struct cc_groups *groups; /* those asked for; may be none */
    const struct cc_check *checks;
    size_t n_checks;
    struct cc_filter filter;                /* by which blocks are kept */
    const struct cc_notes *notes;           /* what the figures do not cover */
    const struct cc_where_counts *where;    /* one for each bound */
    const struct cc_reason_counts *reasons; /* the same */
    const struct cc_outside *outside;
    /* Heaviest first at the first bound; NULL: not asked for. */
    const struct cc_selection *found, *missed, *false_positives;
    const struct cc_comparison *comparison; /* NULL: without a baseline */
    struct cc_symbolizer *symbolizer;
    const char *program;       /* what is scored: the paths of the objects */
    const char *command;       /* that made the report */
    enum disasm_syntax syntax; /* of instructions, as the symbolizer has them */
    bool has_colour;           /* for text alone */
    /* The bounds by their indices, in the order in which tables have them. */
    unsigned order[LIFETIMES_MAX];
};

/* False, and *format untouched, if no format has this name. */
bool cc_format_parse(const char *name, enum cc_format *format);

/* The caller looks for write errors in the stream. */
void cc_report_write(FILE *out, enum cc_format format,
                     const struct cc_report *report);

#endif
