/*
 * cy_report: what depbound prints.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_REPORT_H
#define CY_REPORT_H

#include <stdio.h>

#include "compare/cy_compare.h"
#include "core/cy_figure.h"

struct input;

struct cy_report {
    const struct cy_data *data;
    const struct cy_prediction *prediction;
    const struct cy_program *program;       /* NULL: no figures */
    const struct cy_windowed *windowed;     /* NULL: no windows */
    const struct cy_comparison *comparison; /* NULL: no baseline */
    struct cy_code *code;
    const struct cy_choice *choice;
    bool is_same;                   /* registers begin with one number */
    const char *mca;                /* NULL: without llvm-mca */
    const struct cy_facts *machine; /* NULL: no machine file */
    double clock;                   /* GHz, for times; 0: not known */
    size_t n_shown;                 /* loops and functions at most */
    bool annotates;                 /* text: with the code of each loop */
    bool is_verbose;                /* text: with all that is known */
    bool has_inlines; /* listings: source lines with what was inlined there */
    enum disasm_syntax syntax; /* of instructions, as the code has them */
    const char *subject; /* what the user gave: a program; NULL: nothing, or no
                            name of a program */
    const char *command; /* that made the report */
    const char *directory; /* where the program runs; NULL: not known */
    bool has_colour;       /* text */
    unsigned width;        /* text: columns of the terminal; 0: none */
};

enum cy_format {
    CY_TEXT,
    CY_JSON,
    CY_MARKDOWN,
    CY_HTML,
    CY_DOT,
    CY_SARIF,
    CY_CALLGRIND,
    CY_REMARKS,
    CY_N_FORMATS
};
#define CY_FORMAT_NAMES \
    "text, json, markdown, html, dot, sarif, callgrind or remarks"

/* CY_N_FORMATS: there is no such format. */
enum cy_format cy_format_parse(const char *name);

/* Prints the names of all formats, and what they are for. */
void cy_format_list(FILE *out);

void cy_report_write(FILE *out, enum cy_format format,
                     const struct cy_report *report);

/* Takes all loops of a report, listed or not, in the order of the prediction.
 */
int cy_report_saved(struct cy_saved *saved, const struct cy_report *report,
                    struct diag *d);

/* A line for each figure that grew by more than is allowed; empty if none did.
   The caller frees. */
char *cy_comparison_failures(const struct cy_comparison *comparison);

/* How many loops the report lists. */
size_t cy_report_n(const struct cy_report *report);

/* Writes a cost.db, which replaces an older one when it is complete. */
int cy_costdb_write(const char *path, const struct cy_report *report,
                    struct diag *d);

/* Writes assembly source in which the loops that are shown are marked: that of
   the input, or else what the loops consist of. */
int cy_marked_write(FILE *out, struct input *input,
                    const struct cy_report *report, struct diag *d);

/* "none", "static" or "observed". */
const char *cy_edges_name(enum cy_edges edges);

#endif
