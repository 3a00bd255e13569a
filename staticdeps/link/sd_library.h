/*
 * sd_library: a table that describes what functions of other files do.
 *
 * A line of the table describes one function: what it writes, what it returns,
 * which of its arguments it calls, or that it never returns.  The built-in
 * table is libraries.txt; lines of the user's file are added, or replace its
 * lines.
 *
 *     LINE   = NAME [CLAUSE]...            # with a comment
 *     CLAUSE = writes(TO [,SIZE])          the bytes become unknown
 *            | copies(TO,FROM,SIZE)
 *            | fills(TO,BYTE,SIZE)
 *            | returns(TERM)
 *            | calls(FUNCTION [,TERM]...)  the terms are its arguments
 *            | never                       the function does not return
 *            | unknown                     as if there were no line
 *     TERM   = N | N+N | N*N               argument N, from 1 on
 *            | #NUMBER
 *            | fresh                       memory that nothing else points to
 *            | same [N]                    the same memory in each call with
 *                                          the same argument N
 *            | in N                        somewhere in the object of pointer N
 *            | ?
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

enum sd_term_kind {
    SD_TERM_UNKNOWN,
    SD_TERM_ARGUMENT,
    SD_TERM_SUM,
    SD_TERM_PRODUCT,
    SD_TERM_NUMBER,
    SD_TERM_FRESH,
    SD_TERM_SAME,
    SD_TERM_INSIDE
};

struct sd_term {
    enum sd_term_kind kind;
    uint8_t a, b; /* numbers of arguments, from 1 on; 0: none */
    uint64_t number;
};

enum sd_effect_kind { SD_WRITES, SD_COPIES, SD_FILLS };

struct sd_effect {
    enum sd_effect_kind kind;
    struct sd_term to, from, size; /* with SD_FILLS, `from` is the byte */
};

#define SD_MOST_EFFECTS 4
#define SD_MOST_TERMS   6 /* the most terms of a clause */

struct sd_model {
    char *name;
    size_t line; /* number among all lines that were read */
    bool is_unknown;
    bool never; /* the function does not return */
    struct sd_effect effects[SD_MOST_EFFECTS];
    unsigned n_effects;
    struct sd_term result;
    struct sd_term calls[SD_MOST_TERMS]; /* a function, then its arguments */
    unsigned n_calls;                    /* 0: no function is called */
};

struct sd_library {
    struct sd_model *models; /* sorted by name */
    size_t n, room;
    size_t n_lines;
};

/* Reads the built-in table. */
void sd_library_init(struct sd_library *library);
/* Adds the lines of a file.  The message of an error names file and line. */
int sd_library_read(struct sd_library *library, const char *path,
                    struct diag *d);
void sd_library_fini(struct sd_library *library);

/* The bit that makes a number the mark of a function: no address has it set. */
#define SD_LIBRARY_MARK (UINT64_C(1) << 61)
static inline uint64_t sd_library_mark(const struct sd_library *library,
                                       const struct sd_model *model)
{
    return SD_LIBRARY_MARK | (uint64_t)(model - library->models) << 4;
}

/* The model of a function, or NULL if the table does not describe the function.
   An @ ends the name, so a version is ignored. */
const struct sd_model *sd_library_find(const struct sd_library *library,
                                       const char *name);
