/* sd_effort: how much to walk, and by which rules.  Each rule can be turned
   off, to measure its use. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "basics.h"

enum sd_rule {
    SD_RULE_DECIDED = 1 << 0,  /* follow branches whose condition is decided */
    SD_RULE_IDENTITY = 1 << 1, /* numbers of one base are related */
    SD_RULE_ONCE = 1 << 2,     /* decide a comparison of numbers once */
    SD_RULE_FORWARD = 1 << 3,  /* skip rounds of loops that are alike */
    SD_RULE_STEER = 1 << 4,    /* at branches, go where walks went less often */
    SD_RULE_OUT = 1 << 5,      /* callees write to what arguments point to */
    SD_RULE_RETURNS = 1 << 6,  /* some functions do not return */
    SD_RULE_CONTENTS = 1 << 7, /* the file tells what memory holds */
    SD_RULE_MIDDLE = 1 << 8,   /* start walks in the middle of functions, too */
    SD_RULE_ENTER = 1 << 9,    /* enter functions that are called */
    SD_RULE_AGAIN = 1 << 10,   /* call the root again when it returns */
    SD_RULE_LIBRARY = 1 << 11, /* use the table of libraries */
    SD_RULE_INDEX = 1 << 12,   /* make drawn indices small */
    SD_RULE_FLOW = 1 << 13,    /* add pairs that no walk shows (sd_flows) */
    SD_RULE_TABLES = 1 << 14,  /* call candidates from tables of functions */
    SD_RULE_WHOLE = 1 << 15,   /* only a whole call shows what it stored */
    SD_ALL_RULES = (1 << 16) - 1
};

/* The rule with a name; 0 if there is none. */
unsigned sd_rule_parse(const char *name);

struct sd_effort {
    unsigned rules;       /* enum sd_rule */
    unsigned walks;       /* the most walks of a small function */
    unsigned depth;       /* how deep calls are entered */
    uint32_t fuel;        /* the most instructions of a walk */
    bool is_narrow;       /* only pairs within one function are wanted */
    unsigned enough;      /* walks start in blocks with fewer visits */
    uint32_t middle_fuel; /* the most instructions of walks from there */
    /* The visits of blocks and the instructions that an object may take for
       each of its blocks: a few times what real programs do. */
    uint32_t most_visits, most_insns;
};

/* The effort of a level from 1 to 9. */
struct sd_effort sd_effort_of(unsigned level);
