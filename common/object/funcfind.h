/*
 * funcfind: which functions a user means by a name.
 *
 * A name is that of all functions that have it in one of the forms of
 * funcname.h, or as it is shown (demangle.h).  If there is none, it may be the
 * end of a name from a "::" or "." on; if it is that of no name either, any
 * part of one.  Then only one name may have it, without arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_OBJECT_FUNCFIND_H
#define COMMON_OBJECT_FUNCFIND_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

enum funcfind_match {
    FUNCFIND_NONE,
    FUNCFIND_PART,
    FUNCFIND_END,
    FUNCFIND_ALL
};

/* Begin with {.asked = NAME}. */
struct funcfind {
    const char *asked;
    enum funcfind_match match; /* the best up to now */
    bool is_late;              /* it was found after lesser ones were meant */
    char **names;              /* distinct ones that were meant by a part */
    size_t n_names, names_room;
    char *nearest; /* NULL: no name is near */
    unsigned distance;
};

/* Sets is_meant[i] where symbol number i, if it is not NULL, is of a function
   that is meant.  Can be called for one file after the other. */
void funcfind_among(struct funcfind *f, const char *const *symbols, size_t n,
                    bool *is_meant);

/* -1 if the option's name was that of none, or of several. */
int funcfind_check(const struct funcfind *f, const char *option,
                   struct diag *d);
void funcfind_fini(struct funcfind *f);

#endif
