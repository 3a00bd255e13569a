/*
 * sd_explore: a function -> what walks from it show.
 *
 * A walk is one path through the code, over numbers that are drawn.  It begins
 * at the start of a function, or in its middle.  A walk computes with concrete
 * numbers, so each access has an address, and a load shows which store wrote
 * its bytes last.  Known numbers (sd_drawn) decide branches.  At other branches
 * the walk is forced: it goes where walks went less often, and goes round a
 * loop a few times.  A comparison that was forced once is decided from then on
 * (sd_drawn).
 *
 * Once the registers of a loop whose test is decided have moved by the same
 * steps twice, the rounds of the loop are skipped, except for the last two.
 *
 * In every other walk the root is called again when it returns.  Pairs that lie
 * in two of these calls are marked, because real callers may write between the
 * calls what the second call reads; a load notes if callers do (SD_NOTE_FED).
 *
 * Calls are entered down to a depth, and get a share of the fuel (the
 * instructions that a walk may take); if only pairs within one function are
 * wanted, deeper calls get smaller shares.  A call that is cut short might have
 * overwritten what it stored, so those bytes have no writer from then on.
 * Calls of functions in the table of libraries do what the table says.  Other
 * calls are skipped: they leave unknown registers, and unknown bytes where
 * their arguments point into the stack.  A call that never comes back ends the
 * walk: walks do not go on after setjmp, nor where exceptions land.
 *
 * Walks begin at the entry as long as they show new pairs.  Later walks begin,
 * with random registers, at blocks that few of the first walks visited.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "walk/sd_vectors.h"
#include "walk/sd_support.h"

/* sd_effort: how much to walk, and by which rules.  Each rule can be turned
   off, to measure its use. */

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

struct sd_explorer {
    const struct sd_program *program;
    struct sd_walker *walker;
    struct sd_chunks *chunks; /* belong to the walker */
    struct sd_effort effort;
    uint64_t seed;
    uint32_t *n_visits; /* by block: walks of the function that visited it */

    /* What the walks of the last function show. */
    struct sd_visit *walks; /* of each walk: the number of blocks that it
                               visited, as a number alone, then the visits */
    size_t walks_size, walks_room;
    uint32_t n_walks;
    uint64_t n_insns;
    const struct sd_walk_pair *pairs; /* sorted */
    size_t n_pairs;
    const struct sd_agreed *vectors;
    size_t n_vectors;
    const struct sd_site_notes *notes;
    size_t n_notes;
};

void sd_explorer_init(struct sd_explorer *e, const struct sd_program *program,
                      const struct sd_effort *effort, uint64_t seed);
void sd_explorer_fini(struct sd_explorer *e);

void sd_explore(struct sd_explorer *e, uint32_t routine);
