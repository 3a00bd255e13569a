/*
 * ds_patterns: names with wildcards that a user gave, and which matched.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_patterns.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

#include "base/ds_message.h"

void ds_patterns_add(struct ds_patterns *list, const HChar *text)
{
    tl_assert(text[0] != '\0' && list->n <= list->room);
    if (list->n == list->room) {
        list->room = list->room == 0 ? 4 : 2 * list->room;
        list->pattern = VG_(realloc)("ds.patterns", list->pattern,
                                     list->room * sizeof *list->pattern);
    }
    list->pattern[list->n].text = text;
    list->pattern[list->n].has_matched = False;
    list->n++;
}

void ds_patterns_complain(const struct ds_patterns *list, const HChar *option,
                          const HChar *what)
{
    for (UInt i = 0; i < list->n; i++)
        if (!list->pattern[i].has_matched)
            ds_message("%s=%s: %s", option, list->pattern[i].text, what);
}
