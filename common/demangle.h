/*
 * demangle: the names of functions as people read them and ask for them.
 *
 * libiberty knows the names of C++ and Rust, which are those that c++filt
 * prints; a procedure of a Fortran module is "module::procedure".  Go's symbols
 * are names, and those of Fortran outside modules could be of C.  A long name
 * is shortened step by step: first the types of the parameters are dropped,
 * then the arguments of templates, then the middle.
 *
 * A name can exceed any memory and time: compilers make symbols of a few
 * hundred characters whose names have billions.  So all but the shortest
 * symbols are demangled in a separate process, and a symbol that takes more
 * than a fifth of a second of processor time is left as it is.
 *
 * Limits: only one thread may use it at a time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

#define DEMANGLE_LONGEST 120 /* characters of a name that people read */

/* Writes the name that C++, Rust or Fortran gives to a symbol, or any other
   symbol itself, with "@plt" or a version that follows it, by a function that
   makes any text safe for its format; at most DEMANGLE_LONGEST bytes of it. */
void demangle_write(FILE *out, const char *symbol,
                    void (*write)(FILE *out, const char *text));

/* The name of demangle_write, and those of other symbols of the same code, as
   text that holds no control characters: "f (also g, h)".  Three others are
   shown, without those whose names are equal or begin with two underscores, and
   the rest is counted.
   `others` is separated by commas, or NULL.  The caller frees. */
char *demangle_names(const char *symbol, const char *others);

/* Ends the process that looked for long names, if there is one. */
void demangle_fini(void);

/* --- Which functions a user means by a name --- */

/* A name means all functions that have it in one of the forms of funcname.h, or
   as it is shown.  If there are none, it may be the end of their names from a
   "::" or "." on; if there are none either, any part of a name.  Then it must
   be part of only one name without arguments. */
enum funcfind_match {
    FUNCFIND_NONE,
    FUNCFIND_PART,
    FUNCFIND_END,
    FUNCFIND_ALL
};

/* Begin with {.asked = NAME}. */
struct funcfind {
    const char *asked;
    enum funcfind_match match; /* the best match up to now */
    bool is_late;              /* it came after functions with a lesser match */
    char **names;              /* distinct names that have the part */
    size_t n_names, names_room;
    char *nearest; /* NULL: no name is near */
    unsigned distance;
};

/* Sets is_meant[i] where symbol number i, if it is not NULL, is of a function
   that is meant.  Can be called for one file after the other. */
void funcfind_among(struct funcfind *f, const char *const *symbols, size_t n,
                    bool *is_meant);

/* -1 with *d set if the name means no function, or is part of several names. */
int funcfind_check(const struct funcfind *f, const char *option,
                   struct diag *d);
void funcfind_fini(struct funcfind *f);
