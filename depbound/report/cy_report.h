/* cy_report: what depbound prints. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "compare/cy_compare.h"
#include "core/cy_figure.h"

struct input;

/* What the program took on a processor. */
struct cy_measured {
    double user, system;  /* seconds; system is NAN if it is not known */
    double clock;         /* GHz meanwhile, of the second run; NAN: not known */
    bool is_disturbed;    /* the clock was not steady */
    bool ended_otherwise; /* than the run that was recorded */
};

struct cy_report {
    const struct cy_data *data;
    const struct cy_prediction *prediction;
    const struct cy_program *program;       /* NULL: program has no figures */
    const struct cy_windowed *windowed;     /* NULL if there are no windows */
    const struct cy_threads *threads;       /* NULL: nothing ran */
    const struct cy_comparison *comparison; /* NULL if there is no baseline */
    const struct cy_runs *runs;             /* NULL if there is no deps.db */
    const struct cy_measured *measured;     /* NULL: nothing was measured */
    const char *script;   /* what the user gave and the program ran; or NULL */
    const char *variants; /* functions of the C library of which this processor
                             takes other variants; NULL: none is known */
    double of_variants;   /* cycles of those that ran, in the windows */
    struct cy_code *code;
    const struct cy_choice *choice;
    bool is_same;                   /* all registers begin alike */
    const char *mca;                /* NULL: without llvm-mca */
    const struct cy_facts *machine; /* NULL: no machine file */
    double clock;                   /* GHz; 0: times are not known */
    size_t n_shown;                 /* the most loops and functions to list */
    bool annotates;                 /* text: with each loop's code */
    bool is_verbose;                /* text: with all that is known */
    bool has_inlines;          /* listings: with functions inlined at a line */
    enum disasm_syntax syntax; /* syntax of instructions in listings */
    bool is_kept;        /* the recording is in a file that the user named */
    const char *subject; /* what the user gave: a program; NULL: nothing, or no
                            name of a program */
    const char *command; /* the command that made the report */
    const char *directory; /* the working directory; NULL if not known */
    bool has_colour;       /* text format */
    unsigned width;        /* columns of the terminal, for text; 0: unlimited */
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

/* The format with this name; CY_N_FORMATS if there is none. */
enum cy_format cy_format_parse(const char *name);

/* Prints the names of all formats, and what each format is for. */
void cy_format_list(FILE *out);

void cy_report_write(FILE *out, enum cy_format format,
                     const struct cy_report *report);

/* Saves all loops of a report, listed or not, in the order of the
   prediction. */
int cy_report_saved(struct cy_saved *saved, const struct cy_report *report,
                    struct diag *d);

/* A line for each figure that grew by more than the limit; empty if none did.
   The caller frees the text. */
char *cy_comparison_failures(const struct cy_comparison *comparison);

/* The number of loops that the report lists. */
size_t cy_report_n(const struct cy_report *report);

/* Writes a cost.db; it replaces an older one when it is complete. */
int cy_costdb_write(const char *path, const struct cy_report *report,
                    struct diag *d);

/* Writes assembly source with marks around the listed loops: the input's
   source, or else the instructions of each loop. */
int cy_marked_write(FILE *out, struct input *input,
                    const struct cy_report *report, struct diag *d);

/* The name of the source of dependencies: "none", "static" or "observed". */
const char *cy_edges_name(enum cy_edges edges);
