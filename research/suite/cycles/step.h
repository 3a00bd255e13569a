/*
 * step: which instructions of a function execute how often, by single steps.
 *
 * The processor's trap flag makes every instruction raise SIGTRAP; the handler
 * counts the address.  So the hot loop is known without any analysis, and so is
 * the number of its rounds in a round of the source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "loops/loop.h"

struct step_loop {
    uintptr_t start, end; /* of its code; end is past the last instruction */
    unsigned n_insns;     /* instructions of the loop that execute */
    double rounds;        /* rounds of the loop in one round of the source */
    int single;           /* is the loop one basic block? */
};

/* Finds the hot loop of a function.  Returns -1 if there is none: if no
   instruction executes more often in more rounds. */
int step_find(const struct loop *loop, void *data, struct step_loop *found);
