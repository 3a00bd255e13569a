/* cc_options: the command line of covcheck. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "report/cc_report.h"
#include "options.h"

struct cc_options {
    struct cc_inputs in; /* in.also has the bounds that gates name */
    struct cc_filter filter;
    bool allows_empty; /* a figure without data passes its gate */
    bool is_strict;    /* an incomplete run is an error */
    enum cc_by by;
    /* How many dependencies to list; 0: none, CC_ALL: all. */
    size_t n_found, n_missed, n_false_positives;
    const char *baseline; /* points into argv; NULL: no baseline */
    double max_drop;      /* in percentage points; below 0: any */
    struct cc_gate *gates;
    size_t n_gates, gates_room;
    enum cc_format format;
    enum disasm_syntax syntax; /* of instructions that are shown */
    const char *html_path;     /* points into argv; NULL: no page */
    char *command;             /* the command line, for the page */
};

/* Sets the defaults, then what the command line says.  The caller calls
   cc_options_fini even after a failure. */
enum options_result cc_options_parse(struct cc_options *options, int argc,
                                     char **argv, struct diag *d);

void cc_options_fini(struct cc_options *options);
