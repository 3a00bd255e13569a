/*
 * cy_misses: what it costs that lines and pages are not in the first caches, by
 * the instruction that asks for them, and what mending that would gain.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_simulate.h"

/* Causes of cycles that are misses: CY_CAUSE_L2 and those after it. */
#define CY_N_MISSING (CY_CAUSE_CODE - CY_CAUSE_L2 + 1)

/* The loads or stores of an instruction, or its code. */
struct cy_miss {
    uint32_t insn;
    enum cy_missing kind;
    double cycles; /* on the critical paths of the windows, for the lines that
                      it asked for, whoever waits for them */
    double by[CY_N_MISSING]; /* the same, by cause */
    double n;                /* executions that do not find the line in the
                                first cache; this and the next are weighted */
    double from[CY_BEYOND];  /* the same, by where it is */
    double n_pages;  /* executions that do not find the page in the first TLB */
    double n_new;    /* those of `n` whose line was never touched before */
    double distance; /* median of the other lines touched since, in executions
                        of `n` without `n_new`; NAN if there are none */
    uint32_t origin; /* the load that most addresses come from, in the window;
                        CY_NO_INSN: none */
    bool is_chased;  /* the address comes from its own earlier execution */
    double cached;   /* cycles saved if its lines were in the first cache; less
                        than 0: not simulated */
    double early;    /* if it asked for them early enough */
};

struct cy_misses {
    struct cy_miss *list; /* the most costly first */
    size_t n, list_room;
};

void cy_misses_of(struct cy_misses *misses, const struct cy_outcome *outcome);
void cy_misses_fini(struct cy_misses *misses);

/* The cause that most of a miss's cycles have. */
enum cy_cause cy_miss_cause(const struct cy_miss *miss);

/* The cycles of the program over the size of the last cache. */
#define CY_SIZES 7
struct cy_curve {
    unsigned level; /* of the cache: 2 or 3; 0: not simulated */
    bool is_flat;   /* only the first and the last size were simulated, which
                       hardly differ */
    struct cy_curve_point {
        double kib, cycles; /* those of all windows */
    } points[CY_SIZES];
};
