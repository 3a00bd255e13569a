/* options: one table of options drives parsing and --help, so that the two
   cannot differ.  --help, -h and --version are added to every table. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "basics.h"

/* What an option stores, and the type of the variable that it is stored in. */
enum option_kind {
    OPTION_CALL,    /* whatever `set` makes of the value */
    OPTION_FLAG,    /* bool: true if the option is given */
    OPTION_TEXT,    /* const char *: the value */
    OPTION_FILE,    /* const char *: the value, which is not empty */
    OPTION_NUMBER,  /* an unsigned type: a number from `min` to `max` */
    OPTION_PERCENT, /* double: a percentage from 0 to 100 */
    OPTION_SHARE,   /* double: a percentage as a number from 0 to 1 */
    OPTION_WORD     /* an enum, or bool: the place of the value in `words` */
};

struct option_def {
    const char *name;     /* without the dashes; NULL ends the table */
    char letter;          /* its short form, or 0 */
    const char *argument; /* as --help shows it; NULL: none; "[=N]": optional */
    const char *help;     /* one line for --help */
    enum option_kind kind;
    size_t offset, size; /* set by OPTION_AT; 0: the program's whole struct */
    uint64_t min, max;
    const char *const *words; /* end with NULL; an empty text is no word */
    /* Stores the value (NULL without an argument) in *to, which is at `offset`;
       -1 with *d set to what is wrong with the value alone. */
    int (*set)(void *to, const char *value, struct diag *d);
};

/* The member of the program's struct that an option stores. */
#define OPTION_AT(type, member)       \
    .offset = offsetof(type, member), \
    .size = sizeof(((const type *)NULL)->member)

/* A heading in --help. */
struct option_group {
    const char *first; /* name of the first option; NULL ends the list */
    const char *heading;
};

struct program {
    const char *name;
    const char *usage;   /* the operands in the usage line */
    const char *summary; /* one sentence on the program */
    const char *licence; /* SPDX's name of the licence */
    const struct option_def *options;
    const char *examples;              /* lines for --help; NULL: none */
    const struct option_group *groups; /* in order; NULL: one group */
    bool ends_at_operand; /* only options before the first operand count */
};

enum options_result {
    OPTIONS_RUN,  /* go on; *first is the first operand */
    OPTIONS_DONE, /* --help or --version was asked for and printed */
    OPTIONS_BAD   /* the diag says what is wrong */
};

/* Parses a command line; moves operands behind options, as getopt_long does,
   unless only the options before them count. */
enum options_result options_parse(const struct program *program, void *options,
                                  int argc, char **argv, int *first,
                                  struct diag *d);
