/*
 * options: one table of options drives parsing and --help, so that the two
 * cannot differ.  --help, -h and --version are added to every table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* What an option stores, and the type of what it stores it in. */
enum option_kind {
    OPTION_CALL,    /* what `set` makes of the value */
    OPTION_FLAG,    /* bool: true */
    OPTION_TEXT,    /* const char *: the value */
    OPTION_FILE,    /* the same, which is not empty */
    OPTION_NUMBER,  /* an unsigned type: a number from `min` to `max` */
    OPTION_PERCENT, /* double: a percentage from 0 to 100 */
    OPTION_SHARE,   /* double: a percentage as a number from 0 to 1 */
    OPTION_WORD     /* an enum, or bool: the place of the value in `words` */
};

struct option_def {
    const char *name;     /* without the dashes; NULL ends the table */
    char letter;          /* short form, or 0 */
    const char *argument; /* its name in --help; NULL: none; "[=N]": optional */
    const char *help;     /* one line */
    enum option_kind kind;
    size_t offset, size; /* OPTION_AT; all 0: the program's whole struct */
    uint64_t min, max;
    const char *const *words; /* ends with NULL; an empty word is none */
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
    const char *first; /* the name of its first option; NULL ends the list */
    const char *heading;
};

struct program {
    const char *name;
    const char *usage;   /* the operands in the usage line */
    const char *summary; /* one sentence */
    const char *licence; /* SPDX's name for it */
    const struct option_def *options;
    const char *examples;              /* lines for --help; NULL: none */
    const struct option_group *groups; /* in their order; NULL: there is one */
};

enum options_result {
    OPTIONS_RUN,  /* go on; *first is the first operand */
    OPTIONS_DONE, /* --help or --version was asked for and printed */
    OPTIONS_BAD   /* the diag says what */
};

/* Moves the operands after the options, as getopt_long does. */
enum options_result options_parse(const struct program *program, void *options,
                                  int argc, char **argv, int *first,
                                  struct diag *d);

/* Takes only the options before the first operand; the rest stays as it is. */
enum options_result options_parse_before(const struct program *program,
                                         void *options, int argc, char **argv,
                                         int *first, struct diag *d);

#endif
