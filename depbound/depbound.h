/* depbound: the command line, the input, and running programs. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "binary/input.h"
#include "options.h"
#include "report/cy_report.h"

/* cy_progress: shows what depbound does, in a line of the terminal that it
   rewrites.

   The line is below that of the cursor, which stays where it is: a program that
   is recorded may have written half a line.

   If standard error is no terminal, or one that cannot rewrite a line, nothing
   is written. */

/* Can a progress line be shown? */
bool cy_progress_is_shown(void);

/* Writes a new progress line. */
__attribute__((format(printf, 1, 2))) void cy_progress_say(const char *format,
                                                           ...);

/* Erases the progress line, if there is one. */
void cy_progress_end(void);

/* Erases the progress line, and writes a warning. */
void cy_progress_warn(const struct diag *d);

/* --- cy_options: the command line of depbound --- */

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

/* cy_intake: reads the input of depbound: two databases, or a temporary one for
   which staticdeps analyses a program, a region or source. */

/* Reads the user's static.db, or has staticdeps analyse the input, and reads
   what was recorded.  -1 with *d set, in terms of the files that the user
   named. */
int cy_intake(struct cy_data *data, struct input *input,
              const struct cy_options *options, struct diag *d);

/* cy_record: runs a program in depsim, and once more on the processor.

   Signals from the terminal reach depbound and the program.  depbound ignores
   them until the program has ended, and then ends the same way. */

struct cy_recorder {
    char *const *command; /* a program, its arguments and NULL */
    const char *kept;     /* where to keep deps.db; NULL: do not keep it */
    bool follows;         /* record the programs that it starts, too */
    bool runs_again;      /* run it on the processor, too */
    double wait;          /* seconds to wait until nothing else uses the core;
                             0: it runs at once */
};

/* A recording; all zero before cy_record(). */
struct cy_recording {
    char *program; /* the recorded program's file, or a copy if that is gone */
    char *script;  /* the script that the user gave and the program ran; or
                      NULL */
    char *deps;    /* a deps.db, which may have windows */
    struct cy_measured measured; /* set if it ran on the processor, too */
    bool is_copy;
    bool is_kept; /* did the user ask to keep deps.db? */
    struct input temporary;
};

/* Runs a command, and records it.  Sets *runs to what ran; the recorded program
   is the one that ran first or, if others are recorded, too, the one with most
   instructions.  The program's output goes to standard error, to leave standard
   output to a report.  It runs again with the same standard input, which must
   be a file or a terminal, and with files and all else as the first run left
   them.  A program that fails only causes a message; -1 if nothing was
   recorded.  The caller calls cy_recording_fini, even after a failure, to
   remove temporary files. */
int cy_record(struct cy_recording *recording, const struct cy_recorder *how,
              struct cy_runs *runs, struct diag *d);
void cy_recording_fini(struct cy_recording *recording);

/* cy_variants: functions of the C library that have variants for processors.

   The loader asks a function of the library which variant to take (IFUNC).
   Valgrind shows programs a processor of its own, so a recorded run may have
   taken other variants than the program takes without it.

   Limits: only libraries that this program uses itself are looked at, the C
   library and its mathematical part; programs that ask the processor otherwise
   are not noticed. */

/* Lists the variants that this process has: in each line the path of the
   library, the name of the function, and the variant's address in the file. */
void cy_variants_list(FILE *out);

/* What a run took and this processor does not. */
struct cy_other_variants {
    char *names;   /* "memcpy, strlen"; NULL: nothing is known to differ */
    double cycles; /* in the windows, of these variants */
};

/* Compares the variants that this process has with those that it has in
   Valgrind, and finds those of the latter in the windows.  Nothing is found if
   Valgrind cannot be run.  `mca` (NULL: none) keeps the latter's list. */
struct cy_other_variants cy_variants_of(const struct cy_windowed *windowed,
                                        struct cy_mca *mca);
void cy_variants_fini(struct cy_other_variants *variants);
