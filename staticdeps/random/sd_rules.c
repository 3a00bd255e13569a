/*
 * sd_rules: the rules of walks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "random/sd_rules.h"

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
