/*
 * cy_options: the command line of depbound.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_OPTIONS_H
#define CY_OPTIONS_H

#include "chain/cy_predict.h"
#include "binary/input.h"
#include "options.h"
#include "report/cy_report.h"

struct cy_options {
    struct cy_choice choice;
    bool has_edges; /* the user chose the edges */
    enum cy_format format;
    size_t n_shown;
    bool annotates;
    bool is_verbose;
    bool has_inlines; /* source lines with what was inlined there */
    bool marks;       /* source with the loops marked, instead of a report */
    enum disasm_syntax syntax; /* of instructions that are shown */
    bool is_same;              /* registers begin with one number */
    bool lists_formats;        /* does nothing else */
    bool lists_penalties;      /* the same */
    bool is_untrusted;         /* the input is of anyone */
    bool runs_nothing;         /* takes no deps.db */
    const char *baseline;      /* an earlier report; NULL: none */
    double max_slowdown;       /* in percent; less than 0: no limit */
    const char *output;        /* a cost.db to write; NULL: none */
    bool calibrates;           /* only make a machine file */
    const char *calibration;   /* its path; NULL: standard output */
    bool is_forced;            /* also on a busy machine */
    bool lists;                /* names machine files, and does nothing else */
    const char *cpu;           /* NULL: the machine's own */
    double clock;              /* GHz; 0: measured, or not told */
    const char *mca;           /* a program, or "none"; NULL: what is found */
    const char *hex;           /* machine code, or a file of it; NULL: a
                                  program */
    struct regions ranges;
    char **command;        /* a program to record, and its arguments; NULL:
                              none */
    char *invocation;      /* the command line of depbound itself */
    const char *recording; /* where its deps.db stays; NULL: nowhere */
    /* Files, told apart by what they are. */
    const char *program, *deps, *statics;
};

enum options_result cy_options_parse(struct cy_options *options, int argc,
                                     char **argv, struct diag *d);
void cy_options_fini(struct cy_options *options);

#endif
