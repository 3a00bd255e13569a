/*
 * cy_options: the command line of depbound.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "chain/cy_predict.h"
#include "binary/input.h"
#include "options.h"
#include "report/cy_report.h"

struct cy_options {
    struct cy_choice choice;
    bool has_edges; /* did the user choose the edges? */
    enum cy_format format;
    size_t n_shown;
    bool annotates;
    bool is_verbose;
    bool has_inlines; /* show the functions inlined at a source line */
    bool marks;       /* print source with marked loops, not a report */
    enum disasm_syntax syntax; /* syntax of instructions in reports */
    bool is_same;              /* all registers begin with the same number */
    bool lists_formats;        /* only list the formats */
    bool lists_penalties;      /* only list the penalties */
    bool lists_variants;       /* only list variants of library functions */
    bool is_untrusted;         /* the input may come from anyone */
    bool runs_nothing;         /* take no deps.db */
    const char *baseline;      /* an earlier report; NULL if none */
    double max_slowdown;       /* percent; below 0: no limit */
    const char *output;        /* a cost.db to write; NULL if none */
    bool calibrates;           /* only make a machine file */
    const char *calibration;   /* the machine file; NULL: standard output */
    double wait;               /* seconds to wait until nothing else runs */
    bool is_forced;            /* calibrate even on a busy machine */
    bool lists;                /* only list the machine files */
    const char *cpu;           /* machine file; NULL: this processor's */
    double cache_kib[3];       /* sizes of L1 to L3; 0: the machine file's */
    double clock;              /* GHz; 0: measure it, if possible */
    const char *mca;           /* path of llvm-mca, or "none"; NULL: search */
    const char *hex;           /* machine code, or its file; NULL if none */
    struct regions ranges;
    char **command;        /* program to record, and arguments; or NULL */
    char *invocation;      /* the user's command line */
    const char *recording; /* where to keep deps.db; NULL: do not keep it */
    bool follows;          /* record the programs that it starts, too */
    bool runs_again;       /* run the command on the processor, too */
    double time;           /* seconds that the user measured; 0: none */
    /* Input files, distinguished by their contents. */
    const char *program, *deps, *statics;
};

enum options_result cy_options_parse(struct cy_options *options, int argc,
                                     char **argv, struct diag *d);
void cy_options_fini(struct cy_options *options);
