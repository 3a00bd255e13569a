/*
 * sd_effort: how much to walk, and by which rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_effort.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

unsigned sd_rule_parse(const char *name)
{
    static const struct {
        const char *name;
        unsigned rule;
    } rules[] = {
        {"decided", SD_RULE_DECIDED}, {"identity", SD_RULE_IDENTITY},
        {"once", SD_RULE_ONCE},       {"forward", SD_RULE_FORWARD},
        {"steer", SD_RULE_STEER},     {"out", SD_RULE_OUT},
        {"returns", SD_RULE_RETURNS}, {"contents", SD_RULE_CONTENTS},
        {"middle", SD_RULE_MIDDLE},   {"enter", SD_RULE_ENTER},
        {"again", SD_RULE_AGAIN},     {"library", SD_RULE_LIBRARY},
        {"land", SD_RULE_LAND},       {"index", SD_RULE_INDEX},
        {"flow", SD_RULE_FLOW},       {"tables", SD_RULE_TABLES},
        {"whole", SD_RULE_WHOLE},
    };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(name, rules[i].name) == 0)
            return rules[i].rule;
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
