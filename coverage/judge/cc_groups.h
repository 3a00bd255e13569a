/*
 * cc_groups: the scores of all objects, functions or blocks one by one.
 *
 * Pure.  The blocks outside any function are one group for each
 * object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_GROUPS_H
#define COVERAGE_CC_GROUPS_H

#include "model/cc_data.h"
#include "judge/cc_score.h"

enum cc_by { CC_BY_NONE, CC_BY_OBJECT, CC_BY_FUNCTION, CC_BY_BLOCK };
#define CC_BY_NAMES "object, function or block"

struct cc_group {
    uint32_t object;
    const char *function; /* NULL: outside any, or of a whole object */
    uint64_t start, end;  /* from the first of its blocks to the last */
    uint64_t weight;      /* of the heaviest of its blocks */
    const struct cc_score *score;
};

struct cc_groups {
    enum cc_by by;
    struct cc_group *list;
    size_t n;
    struct cc_score *scores;
};

/* The groups with most occurrences that are scored at the first bound come
   first.  Functions and blocks without anything to score or to judge are left
   out.  No groups for CC_BY_NONE.  The texts are those of the data. */
struct cc_groups cc_groups_new(const struct cc_data *data, enum cc_by by);

void cc_groups_fini(struct cc_groups *groups);

/* As options and reports spell it; not for CC_BY_NONE. */
const char *cc_by_name(enum cc_by by);
/* False, and *by untouched, if it is none of these. */
bool cc_by_parse(const char *name, enum cc_by *by);

#endif
