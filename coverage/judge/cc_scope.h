/*
 * cc_scope: how far apart the two ends of dependencies lie in the code, which
 * says how much of what happens an analysis of single blocks can see at all.
 *
 * Pure.  All dependencies count, of dropped blocks, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_SCOPE_H
#define COVERAGE_CC_SCOPE_H

#include "model/cc_data.h"

enum cc_scope {
    CC_IN_BLOCK,    /* both ends in one block */
    CC_IN_FUNCTION, /* in two blocks of one function */
    CC_ACROSS,      /* in two functions */
    CC_NO_FUNCTION, /* in two blocks, at least one outside any function */
    CC_OUTSIDE,     /* at least one end in no block of static.db */
    CC_N_SCOPES
};

/* At one bound: the occurrences of dependencies of each scope. */
struct cc_scope_counts {
    uint64_t occurrences[CC_N_SCOPES];
    uint64_t all; /* their sum */
};

/* As JSON spells it, and as people read it. */
const char *cc_scope_name(enum cc_scope scope);
const char *cc_scope_text(enum cc_scope scope);

/* Counts matched data at each of the bounds. */
void cc_scopes_count(const struct cc_data *data,
                     struct cc_scope_counts counts[LIFETIMES_MAX]);

#endif
