/*
 * cc_report: a score, written for a person or for a program.
 *
 * Each format is one function in a file of its own, cc_report_FORMAT.c.
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
#include "judge/cc_breakdown.h"
#include "judge/cc_gate.h"
#include "judge/cc_groups.h"
#include "judge/cc_outside.h"
#include "judge/cc_reason.h"
#include "judge/cc_score.h"
#include "judge/cc_select.h"
#include "code/cc_symbolize.h"
#include "report/cc_notes.h"

/* cc_report.c has the name and the function of each. */
enum cc_format {
    CC_FORMAT_TEXT,
    CC_FORMAT_JSON,
    CC_FORMAT_CSV,
    CC_FORMAT_MARKDOWN,
    CC_FORMAT_JUNIT
};
#define CC_FORMAT_NAMES "text, json, csv, markdown or junit"

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
    enum disasm_syntax syntax; /* of instructions, as the symbolizer has them */
    bool has_colour;           /* for text alone */
    /* The bounds by their indices, in the order in which tables have them. */
    unsigned order[LIFETIMES_MAX];
};

/* False, and *format untouched, if no format has this name. */
bool cc_format_parse(const char *name, enum cc_format *format);

/* The paths of the first objects, with commas between them, and how many more
   there are; the caller frees. */
char *cc_report_program(const struct cc_data *data);

/* The dependencies between threads at the largest bound, and that bound; NULL
   if there are none. */
const struct cc_where_counts *
cc_report_between_threads(const struct cc_report *report, char bound[CC_BOUND]);

/* How the occurrences within the first bound were forwarded, in words; false if
   that is unknown. */
#define CC_FORWARDS 160
bool cc_forwards_format(const struct cc_report *report, char text[CC_FORWARDS]);

/* The caller looks for write errors in the stream. */
void cc_report_write(FILE *out, enum cc_format format,
                     const struct cc_report *report);

void cc_report_text(FILE *out, const struct cc_report *report);
void cc_report_json(FILE *out, const struct cc_report *report);
void cc_report_csv(FILE *out, const struct cc_report *report);
void cc_report_markdown(FILE *out, const struct cc_report *report);
void cc_report_junit(FILE *out, const struct cc_report *report);

/* The parts of a JSON report that score everything in other ways; and what they
   have in common with the rest: the keys of a score at each bound, and how many
   predictions it judges.  Lines after the first are indented. */
void cc_report_json_breakdown(FILE *out, const struct cc_report *report);
void cc_json_lifetimes(FILE *out, const struct cc_bounds *bounds,
                       const struct cc_score *s, const char *indent);
void cc_json_predictions(FILE *out, const struct cc_score *s,
                         const char *indent);

/* The parts of a report that list dependencies. */
void cc_report_text_lists(FILE *out, const struct cc_report *report);
void cc_report_json_lists(FILE *out, const struct cc_report *report);
void cc_report_markdown_lists(FILE *out, const struct cc_report *report);

/* As code spans of Markdown: a text that may hold anything; the name of a file
   and a line, or that there is none, if it is 0. */
void cc_markdown_code(FILE *out, const char *text);
void cc_markdown_line(FILE *out, const char *file, int line);

#endif
