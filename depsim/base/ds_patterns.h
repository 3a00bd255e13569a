/*
 * ds_patterns: names with wildcards that a user gave, and which matched.
 *
 * `*` matches any characters and `?` one; nothing else is special.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_PATTERNS_H
#define DS_PATTERNS_H

#include "pub_tool_basics.h"

struct ds_pattern {
    const HChar *text;
    Bool has_matched; /* the caller that finds a match sets it */
};

/* All zeros are an empty list. */
struct ds_patterns {
    UInt n, room;
    struct ds_pattern *pattern;
};

/* Adds a pattern to a list, which keeps the pointer to the text.  Patterns of
   the list may move. */
void ds_patterns_add(struct ds_patterns *list, const HChar *text);

/* Writes a line "OPTION=PATTERN: WHAT" for each pattern without a match. */
void ds_patterns_complain(const struct ds_patterns *list, const HChar *option,
                          const HChar *what);

#endif
