/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_effort.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

unsigned sd_rule_parse(const char *name)
{
    static const char *const names[] = {
        /* by bit of enum sd_rule */
        "decided", "identity", "once",   "forward", "steer", "out",
        "returns", "contents", "middle", "enter",   "again", "library",
        "index",   "flow",     "tables", "whole"};

    static_assert(SD_ALL_RULES + 1 == 1 << (sizeof names / sizeof names[0]),
                  "each rule has a name");
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1u << i;
    return 0;
}

struct sd_effort sd_effort_of(unsigned level)
{
    struct sd_effort effort = {.rules = SD_ALL_RULES,
                               .walks = 4 * level,
                               .depth = 2 + level / 2,
                               .fuel = 3000 * level,
                               .enough = (level + 3) / 5,
                               .middle_fuel = 500 * level,
                               .most_visits = 48 * level,
                               .most_insns = 256 * level * level};

    assert(level >= 1 && level <= 9);
    return effort;
}
