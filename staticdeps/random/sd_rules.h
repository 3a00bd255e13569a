/*
 * sd_rules: the rules of walks, each of which can be left out, to see what it
 * is worth.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_RULES_H
#define SD_RULES_H

enum sd_rule {
    SD_RULE_DECIDED = 1 << 0,  /* follow decided branches */
    SD_RULE_IDENTITY = 1 << 1, /* numbers of one base are related */
    SD_RULE_ONCE = 1 << 2,     /* decide once */
    SD_RULE_FORWARD = 1 << 3,  /* wind loops forward */
    SD_RULE_STEER = 1 << 4,    /* the way that was taken less often */
    SD_RULE_OUT = 1 << 5,      /* out-parameters */
    SD_RULE_RETURNS = 1 << 6,  /* functions that do not return */
    SD_RULE_CONTENTS = 1 << 7, /* memory that the file tells */
    SD_RULE_MIDDLE = 1 << 8,   /* starts in the middle */
    SD_RULE_ENTER = 1 << 9,    /* enter calls */
    SD_RULE_AGAIN = 1 << 10,   /* call the root again */
    SD_RULE_LIBRARY = 1 << 11, /* the table of libraries */
    SD_RULE_LAND = 1 << 12,    /* exceptions and longjmp come back */
    SD_RULE_INDEX = 1 << 13,   /* small indices */
    SD_RULE_FLOW = 1 << 14,    /* what no walk shows, but reaches its load */
    SD_RULE_TABLES = 1 << 15,  /* calls of what tables of functions have */
    SD_RULE_WHOLE = 1 << 16,   /* only a whole call shows what it stored */
    SD_ALL_RULES = (1 << 17) - 1
};

/* The rule of that name; 0: none. */
unsigned sd_rule_parse(const char *name);

#endif
